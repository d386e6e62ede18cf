// Looks for loud moments in a recording of whales. A record has eight bytes.
'use strict';
const fs = require('node:fs');

const RECORD = 8;

function makeRecording(path, records) {
  const recording = Buffer.alloc(records * RECORD);
  for (let n = 0; n < records; n++) recording.writeUInt32LE((n * 7919) % 65521, n * RECORD);
  fs.writeFileSync(path, recording);
}

function readRecord(file, record) {
  return fs.readSync(file, record, 0, RECORD, null) === RECORD;
}

function loudMoments(path) {
  const file = fs.openSync(path);
  const record = Buffer.alloc(RECORD);
  let loud = 0;
  while (readRecord(file, record)) if (record.readUInt32LE(0) > 65000) loud++;
  fs.closeSync(file);
  return loud;
}

makeRecording('whales.bin', 50_000);
const start = process.hrtime.bigint();
let searched = 0;
let loud = 0;
for (; process.hrtime.bigint() - start < 2_000_000_000n; searched++) loud += loudMoments('whales.bin');
const perRecord = Number(process.hrtime.bigint() - start) / searched / 50_000;
fs.rmSync('whales.bin');
fs.writeFileSync('truth', `searched ${searched}\nns_per_record ${perRecord.toFixed(0)}\nloud ${loud}\n`);
