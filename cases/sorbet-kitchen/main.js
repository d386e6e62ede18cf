// Plans a week of an ice cream kitchen: which sorbets to freeze on which day, so that the fruit does not spoil.
'use strict';
const fs = require('fs');

const fruit = [
  { name: 'raspberry', keeps: 2, kilos: 40 },
  { name: 'mango', keeps: 5, kilos: 25 },
  { name: 'lemon', keeps: 9, kilos: 60 },
  { name: 'pear', keeps: 4, kilos: 30 },
  { name: 'quince', keeps: 12, kilos: 18 },
  { name: 'melon', keeps: 3, kilos: 55 },
];

function loss(plan) {
  let lost = 0;
  let load = 0;
  for (let day = 0; day < plan.length; day++) {
    const kind = fruit[plan[day]];
    lost += Math.max(0, day - kind.keeps) * kind.kilos;
    load = Math.max(0, load + kind.kilos - 35);
    lost += load * 0.5;
  }
  return lost;
}

function improve(plan, rounds, random) {
  let best = loss(plan);
  for (let n = 0; n < rounds; n++) {
    const a = random() % plan.length;
    const b = random() % plan.length;
    [plan[a], plan[b]] = [plan[b], plan[a]];
    const now = loss(plan);
    if (now <= best) best = now;
    else [plan[a], plan[b]] = [plan[b], plan[a]];
  }
  return best;
}

let seed = 5;
function random() {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed >>> 8;
}

const start = process.hrtime.bigint();
const before = process.cpuUsage();
const plan = Array.from({ length: 42 }, (_, n) => n % fruit.length);
let best = Infinity;
let rounds = 0;
while (process.hrtime.bigint() - start < 2000000000n) {
  best = improve(plan, 2000, random);
  rounds += 2000;
}
const wall = Number(process.hrtime.bigint() - start) / 1000;
const used = process.cpuUsage(before);
const computed = (used.user + used.system) / wall;
fs.writeFileSync('truth', `computed ${computed.toFixed(3)}\nrounds ${rounds}\nbest ${best}\n`);
