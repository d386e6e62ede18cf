// The members of a club, sorted as people expect it: Åke comes last, and number 9 before number 10.
'use strict';
const fs = require('fs');

const FIRST = ['Åke', 'Berit', 'Östen', 'Ärla', 'Greta', 'Nils', 'åsa', 'Zoe'];
let comparisons = 0;

function readMembers(round) {
  const members = [];
  for (let i = 0; i < 300; i++) {
    members.push({ name: `${FIRST[(i * 31 + round) % 8]} Svensson ${(i * 7919) % 500}`, paid: i % 3 > 0 });
  }
  return members;
}

function byName(one, other) {
  comparisons++;
  return one.name.localeCompare(other.name, 'sv', { numeric: true, sensitivity: 'accent' });
}

function sortMembers(members) {
  return members.sort(byName);
}

const start = process.hrtime.bigint();
let sorting = 0;
let lists = 0;
while (process.hrtime.bigint() - start < 2000000000n) {
  const members = readMembers(lists);
  const before = process.hrtime.bigint();
  sortMembers(members);
  sorting += Number(process.hrtime.bigint() - before);
  lists++;
}
const wall = Number(process.hrtime.bigint() - start);
const collator = new Intl.Collator('sv', { numeric: true, sensitivity: 'accent' });
const before = process.hrtime.bigint();
for (let round = 0; round < 20; round++) {
  readMembers(round).sort((one, other) => collator.compare(one.name, other.name));
}
const other = Number(process.hrtime.bigint() - before) / 20;
fs.writeFileSync('truth', `sorting ${(sorting / wall).toFixed(3)}\nlists ${lists}\ncomparisons ${comparisons}\ntimes_slower ${(sorting / lists / other).toFixed(1)}\n`);
