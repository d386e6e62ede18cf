// A loom: the main thread computes the pattern of each row, a worker moves the needles.
'use strict';
const fs = require('fs');
const { Worker, isMainThread, workerData, parentPort } = require('worker_threads');

const ROW = 0;
const WOVEN = 1;

function weaveRows(cells) {
  const count = { 'timed-out': 0, ok: 0, 'not-equal': 0 };
  let waited = 0;
  let row = 0;
  const start = process.hrtime.bigint();
  while (process.hrtime.bigint() - start < 2000000000n) {
    parentPort.postMessage(row);
    const before = process.hrtime.bigint();
    count[Atomics.wait(cells, ROW, row, 150)]++;
    waited += Number(process.hrtime.bigint() - before);
    row = Atomics.load(cells, ROW);
    Atomics.store(cells, WOVEN, row);
  }
  const wall = Number(process.hrtime.bigint() - start);
  fs.writeFileSync('truth', `share ${(waited / wall).toFixed(3)}\nrows ${row}\ntimed_out ${count['timed-out']}\nnoticed ${count.ok}\n`);
}

function computeRow(cells, row) {
  let thread = row;
  for (let i = 0; i < 100000; i++) thread = (thread * 31 + i) % 65521;
  Atomics.store(cells, ROW, row + 1);
  Atomics.notify(cells, WOVEN);
  return thread;
}

if (isMainThread) {
  const cells = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(__filename, { workerData: cells });
  worker.on('message', (row) => computeRow(cells, row));
} else {
  weaveRows(workerData);
}
