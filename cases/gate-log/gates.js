// Counts the openings of each gate. New gates log in JSON, the old ones in words.
'use strict';
const fs = require('fs');

let thrown = 0;
let throwing = 0;

function asJson(line) {
  const before = process.hrtime.bigint();
  try {
    return JSON.parse(line);
  } catch (error) {
    thrown++;
    throwing += Number(process.hrtime.bigint() - before);
    return null;
  }
}

function parseLine(line) {
  const record = asJson(line);
  if (record) return record.gate;
  return Number(line.split(' ')[1]);
}

function readGates(lines, end) {
  const openings = new Map();
  for (let n = 0; process.hrtime.bigint() < end; n++) {
    const gate = parseLine(lines[n % lines.length]);
    openings.set(gate, (openings.get(gate) || 0) + 1);
  }
  return openings;
}

const lines = fs.readFileSync('gates.log', 'utf8').trim().split('\n');
const start = process.hrtime.bigint();
const openings = readGates(lines, start + 2000000000n);
const wall = Number(process.hrtime.bigint() - start);
fs.writeFileSync('openings.txt', [...openings].map(([gate, count]) => `${gate} ${count}\n`).join(''));
fs.writeFileSync('truth', `share ${(throwing / wall).toFixed(3)}\nexceptions ${thrown}\n`);
