// A chess clock: the players are two threads that share a counter, and each waits until it is its turn.
'use strict';
const { Worker, isMainThread, workerData } = require('node:worker_threads');
const fs = require('node:fs');

const BOARD = 0, TURN = 1, OVER = 2;

function awaitTurn(table, me) {
  while (Atomics.load(table, TURN) !== me) Atomics.wait(table, TURN, 1 - me);
}

function move(table, me) {
  awaitTurn(table, me);
  table[BOARD] = (table[BOARD] * 31 + me) | 0;
  Atomics.store(table, TURN, 1 - me);
  Atomics.notify(table, TURN, 1);
}

if (isMainThread) {
  const table = new Int32Array(new SharedArrayBuffer(12));
  const black = new Worker(__filename, { workerData: table });
  black.on('online', () => {
    const start = process.hrtime.bigint();
    let moves = 0;
    for (; process.hrtime.bigint() - start < 2_000_000_000n; moves++) move(table, 0);
    const took = Number(process.hrtime.bigint() - start);
    awaitTurn(table, 0);
    Atomics.store(table, OVER, 1);
    Atomics.store(table, TURN, 1);
    Atomics.notify(table, TURN, 1);
    const { voluntaryContextSwitches } = process.resourceUsage();
    fs.writeFileSync('truth', `moves ${moves * 2}\nus_per_move ${took / moves / 2000}\nswitches_per_move ${voluntaryContextSwitches / moves / 2}\n`);
  });
} else {
  for (;;) {
    awaitTurn(workerData, 1);
    if (Atomics.load(workerData, OVER)) break;
    move(workerData, 1);
  }
}
