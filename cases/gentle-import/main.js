// Imports the members of a club, and lets the event loop do other work after each one.
const fs = require('fs');

let waited = 0n;

function memberLine(n) {
  return `${n};Member ${n};${1950 + (n * 7) % 60};${n % 3 ? 'active' : 'passive'}`;
}

function importMember(line, members) {
  const [number, name, born, kind] = line.split(';');
  members.set(Number(number), { name, age: 2026 - Number(born), active: kind === 'active' });
}

async function breathe() {
  const before = process.hrtime.bigint();
  await new Promise((resolve) => setTimeout(resolve, 0));
  waited += process.hrtime.bigint() - before;
}

async function importAll(seconds) {
  const members = new Map();
  const start = process.hrtime.bigint();
  const end = start + BigInt(seconds * 1e9);
  for (let n = 0; process.hrtime.bigint() < end; n++) {
    importMember(memberLine(n), members);
    await breathe();
  }
  return { members, wall: Number(process.hrtime.bigint() - start) };
}

importAll(2).then(({ members, wall }) => {
  fs.writeFileSync('truth', `waited ${(Number(waited) / wall).toFixed(3)}\nmembers ${members.size}\n`);
});
