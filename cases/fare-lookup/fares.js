'use strict';
// Prints the fares of a journey; each question to the tariff may take two seconds at most.
const fs = require('fs');
const { performance } = require('perf_hooks');

const TIMEOUT_MS = 2000;

function withTimeout(promise, what) {
  const limit = new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`${what}: too late`)), TIMEOUT_MS);
  });
  return Promise.race([promise, limit]);
}

async function zoneOf(stop) {
  const text = await fs.promises.readFile(__filename, 'utf8');
  let sum = text.length;
  for (const c of stop) sum = (sum * 31 + c.charCodeAt(0)) % 97;
  return sum % 9;
}

async function fare(from, to) {
  const [a, b] = await Promise.all([
    withTimeout(zoneOf(from), from),
    withTimeout(zoneOf(to), to),
  ]);
  return 240 + 60 * Math.abs(a - b);
}

async function main() {
  const stops = ['Mill', 'Harbour', 'Castle', 'Station', 'Zoo', 'Hill'];
  for (let i = 1; i < stops.length; i++) {
    console.log(stops[i - 1], stops[i], await fare(stops[i - 1], stops[i]));
  }
  const worked = performance.now();
  process.on('exit', () => {
    const end = performance.now();
    fs.writeFileSync('truth', `share ${((end - worked) / end).toFixed(2)}\n`);
  });
}

main();
