// Imports the members of a club, and keeps an eye on the memory.
'use strict';
const fs = require('node:fs');

const LIMIT = 800 << 20;
let watching = 0n;

function checkMemory() {
  const before = process.hrtime.bigint();
  if (process.memoryUsage().rss > LIMIT) throw new Error('the import needs too much memory');
  watching += process.hrtime.bigint() - before;
}

function importMember(members, number) {
  checkMemory();
  members.set(number % 5000, { name: `member ${number}`, since: 1950 + (number % 70) });
}

const members = new Map();
const start = process.hrtime.bigint();
let number = 0;
while (process.hrtime.bigint() - start < 2_000_000_000n) importMember(members, number++);
const took = process.hrtime.bigint() - start;
fs.writeFileSync('truth', `watching ${Number(watching) / Number(took)}\nmembers ${number}\n`);
