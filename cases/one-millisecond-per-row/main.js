// Imports the members of a club. To keep the event loop free, the import hands over control after each row; but it does so
// by setTimeout, whose shortest time is a millisecond, and a row takes some microseconds.
'use strict';
const fs = require('fs');

const members = new Map();
let working = 0n;

function importRow(row) {
  const before = process.hrtime.bigint();
  const [number, name, town, since] = row.split(';');
  members.set(Number(number), { name: name.trim(), town: town.toUpperCase(), years: 2026 - Number(since) });
  working += process.hrtime.bigint() - before;
}

function breathe() {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

async function importMembers(rows) {
  for (const row of rows) {
    importRow(row);
    await breathe();
  }
}

async function main() {
  const rows = [];
  for (let n = 0; n < 1600; n++) rows.push(`${n}; Member ${n} ;${['Ulm', 'Jena', 'Kiel'][n % 3]};${1980 + n % 45}`);
  const start = process.hrtime.bigint();
  await importMembers(rows);
  const wall = Number(process.hrtime.bigint() - start) / 1e9;
  fs.writeFileSync('truth', `members ${members.size}\nseconds ${wall.toFixed(2)}\nus_per_row ${(1e6 * wall / rows.length).toFixed(0)}\n` +
    `us_of_work_per_row ${(Number(working) / 1e3 / rows.length).toFixed(1)}\ncpus ${(process.cpuUsage().user / 1e6 / wall).toFixed(2)}\n`);
}
main();
