// Counts which pieces a choir has sung how often, from its diary of many years.
'use strict';
const fs = require('fs');

function writeDiary(path) {
  const lines = [];
  for (let n = 0; n < 400000; n++) lines.push(`evening ${n % 7300};piece ${n * 7919 % 611};choir ${n % 5};page ${n % 90}\n`);
  fs.writeFileSync(path, lines.join(''));
}

function count(counts, line) {
  const piece = line.split(';')[1];
  counts.set(piece, (counts.get(piece) || 0) + 1);
}

async function readDiary(path, counts, end) {
  const diary = fs.createReadStream(path, { encoding: 'latin1', highWaterMark: 160 });
  let rest = '', lines = 0;
  for await (const part of diary) {
    const parts = (rest + part).split('\n');
    rest = parts.pop();
    for (const line of parts) count(counts, line);
    lines += parts.length;
    if (performance.now() > end) break;
  }
  return lines;
}

async function main() {
  writeDiary('diary.txt');
  const counts = new Map();
  const start = performance.now();
  const lines = await readDiary('diary.txt', counts, start + 2000);
  const wall = performance.now() - start;
  const best = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 20);
  fs.writeFileSync('best.txt', best.map(([piece, times]) => `${piece}: ${times}\n`).join(''));
  fs.writeFileSync('truth', `lines ${lines}\nus_per_line ${(wall * 1000 / lines).toFixed(2)}\n`);
}
main();
