// Ships logs to a store: packs each batch as well as it can, sends it, and goes on when the store has acknowledged it.
'use strict';
const fs = require('fs');
const net = require('net');
const zlib = require('zlib');

let packing = 0n;
let waiting = 0n;

function nextBatch(number) {
  const lines = [];
  for (let n = 0; n < 2600; n++) {
    const key = (number * 2600 + n) * 7919;
    lines.push(`2024-05-06 host-${key % 97} GET /article/${key % 10007} ${key % 11 ? 200 : 404} ${key % 3571}`);
  }
  return lines.join('\n');
}

function packBatch(text) {
  const before = process.hrtime.bigint();
  const packed = zlib.deflateSync(text, { level: 9, memLevel: 9 });
  packing += process.hrtime.bigint() - before;
  return packed;
}

class Store {
  constructor(path) {
    this.socket = net.connect(path);
    this.socket.on('data', () => this.acknowledge());
  }

  async shipBatch(packed) {
    const before = process.hrtime.bigint();
    const head = Buffer.alloc(4);
    head.writeUInt32BE(packed.length);
    const acknowledged = new Promise((resolve) => (this.acknowledge = resolve));
    this.socket.write(Buffer.concat([head, packed]));
    await acknowledged;
    waiting += process.hrtime.bigint() - before;
  }
}

async function main() {
  const store = new Store('store.sock');
  const start = process.hrtime.bigint();
  let batches = 0;
  let bytes = 0;
  while (process.hrtime.bigint() - start < 2000000000n) {
    const packed = packBatch(nextBatch(batches++));
    await store.shipBatch(packed);
    bytes += packed.length;
  }
  const wall = Number(process.hrtime.bigint() - start);
  store.socket.end();
  const share = (part) => (Number(part) / wall).toFixed(3);
  fs.writeFileSync('truth', `packing ${share(packing)}\nwaiting ${share(waiting)}\nbatches ${batches}\nbytes ${bytes}\n`);
}

main();
