// Puts the pieces of a document together, and hands the document over as soon as it is complete.
'use strict';

class Intake {
  static taking = 0;
  static pieces = 0;

  constructor(deliver) {
    this.deliver = deliver;
    this.text = '';
  }

  take(piece) {
    const before = performance.now();
    this.text += piece;
    const document = this.complete();
    Intake.taking += performance.now() - before;
    Intake.pieces++;
    if (document !== undefined) this.deliver(document);
  }

  complete() {
    try {
      return JSON.parse(this.text);
    } catch {
      return undefined;
    }
  }
}

module.exports = { Intake };
