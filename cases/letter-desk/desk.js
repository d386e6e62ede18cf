'use strict';
// A desk of writers: letters come in over sockets, are set, folded into the archive, and answered; all in one event loop.
const net = require('net');
const crypto = require('crypto');
const zlib = require('zlib');
const { promisify } = require('util');

const deflate = promisify(zlib.deflate);
const WORDS = 'dear madam we thank you for the parcel which came on monday and beg to remain yours faithfully'.split(' ');

class Archive {
  constructor() {
    this.bytes = 0;
    this.words = new Map();
    this.volume = [];
  }

  add(text) {
    for (const w of text.split(' ')) this.words.set(w, (this.words.get(w) || 0) + 1);
    if (this.volume.push(text) === 100) {
      deflate(this.volume.join('\n'), { level: 4 }).then((packed) => {
        this.bytes += packed.length;
      });
      this.volume = [];
    }
    return crypto.createHash('sha1').update(text).digest('hex').slice(0, 12);
  }
}

function set(text, width) {
  const lines = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line.length + word.length + 1 > width) {
      lines.push(line);
      line = word;
    } else {
      line = line ? `${line} ${word}` : word;
    }
  }
  lines.push(line);
  return lines;
}

function serve(archive) {
  return net.createServer((socket) => {
    socket.setNoDelay(true);
    let rest = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      const parts = (rest + chunk).split('\n');
      rest = parts.pop();
      for (const text of parts) {
        const lines = set(text, 60);
        const mark = archive.add(text);
        if (!socket.destroyed) socket.write(`${mark} ${lines.length}\n`);
      }
    });
    socket.on('error', () => {});
  });
}

function letter(n) {
  const words = [];
  for (let i = 0; i < 900; i++) words.push(WORDS[(n * 31 + i * i * 7) % WORDS.length]);
  return words.join(' ');
}

function writer(port, number, until) {
  return new Promise((resolve) => {
    let sent = 0;
    const socket = net.connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    socket.setEncoding('utf8');
    const send = () => socket.write(`${letter(number * 1000 + sent++)}\n`);
    socket.on('connect', () => {
      send();
      send();
    });
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
      let at;
      while ((at = text.indexOf('\n')) >= 0) {
        text = text.slice(at + 1);
        if (Date.now() < until) send();
        else {
          socket.destroy();
          resolve(sent);
          return;
        }
      }
    });
  });
}

async function main() {
  const archive = new Archive();
  const server = serve(archive);
  await new Promise((r) => server.listen(0, '127.0.0.1', r));
  const until = Date.now() + 2000;
  const sent = await Promise.all(Array.from({ length: 8 }, (_, i) => writer(server.address().port, i, until)));
  server.close();
  console.log(`${sent.reduce((a, b) => a + b)} letters, ${archive.bytes} bytes, ${archive.words.size} words`);
}

main();
