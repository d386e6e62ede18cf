'use strict';
// Collects what a terminal sends, a few letters at a time, until its message is complete.

const MESSAGE_END = '\r\n.\r\n';

class Receiver {
  constructor() {
    this.text = '';
    this.messages = 0;
    this.letters = 0;
  }

  receive(piece) {
    this.text += piece;
    if (this.isComplete()) {
      this.messages++;
      this.letters += this.text.length;
      this.text = '';
    }
  }

  isComplete() {
    return this.text.charCodeAt(this.text.length - 1) === 10 && this.text.endsWith(MESSAGE_END);
  }
}

function* terminal(length) {
  for (let sent = 0; sent < length; sent += 8) yield 'abcdefg\n'.slice(0, 7 + (sent % 3 === 0 ? 1 : 0));
  yield MESSAGE_END;
}

function main() {
  const receiver = new Receiver();
  const end = Date.now() + 2000;
  while (Date.now() < end) {
    let pieces = 0;
    for (const piece of terminal(600_000)) {
      receiver.receive(piece);
      if (++pieces % 64 === 0 && Date.now() > end) break;
    }
  }
  console.log(`${receiver.messages} messages, ${receiver.letters} letters, ${receiver.text.length} begun`);
}

main();
