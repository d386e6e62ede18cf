// A lost property office writes down each find, so that nothing is lost twice.
'use strict';
const fs = require('node:fs');

let writing = 0n;

function noteFind(number) {
  const before = process.hrtime.bigint();
  fs.appendFileSync('finds.txt', `${number} umbrella, platform ${number % 12}\n`, { flag: 'as' });
  writing += process.hrtime.bigint() - before;
}

const start = process.hrtime.bigint();
let finds = 0;
while (process.hrtime.bigint() - start < 2_000_000_000n) noteFind(finds++);
const took = process.hrtime.bigint() - start;
fs.rmSync('finds.txt');
fs.writeFileSync('truth', `writing ${Number(writing) / Number(took)}\nfinds ${finds}\n`);
