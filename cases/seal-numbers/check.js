'use strict';
// Checks the seals of deliveries: a seal is a number that its dairy made with a secret exponent.
const fs = require('fs');

const MODULUS = (1n << 61n) - 1n;
const PUBLIC = 8191n;

class Dairy {
  constructor(name, base) {
    this.name = name;
    this.base = base;
    this.good = 0;
    this.bad = 0;
  }
}

function hashOf(text) {
  let h = 1469598103934665603n;
  for (const c of Buffer.from(text)) {
    h = ((h ^ BigInt(c)) * 1099511628211n) & 0xffffffffffffffffn;
  }
  return h % 4099n + 2n;
}

function delivery(number) {
  return {
    dairy: number % 7,
    text: `delivery ${number}: ${number % 13} cans of milk, ${number % 5} of cream`,
    day: 1 + (number % 28),
  };
}

function power(base, exponent) {
  return base ** exponent % MODULUS;
}

function openSeal(dairy, text) {
  const seal = hashOf(text) * dairy.base;
  return power(seal, PUBLIC);
}

function check(dairy, d) {
  const opened = openSeal(dairy, d.text);
  if (opened % 11n === BigInt(d.day % 11)) dairy.bad++;
  else dairy.good++;
}

function main() {
  const dairies = ['Alm', 'Brook', 'Clover', 'Dell', 'Elm', 'Fern', 'Glen'].map((n, i) => new Dairy(n, BigInt(i + 3)));
  const start = process.hrtime.bigint();
  let n = 0;
  while (process.hrtime.bigint() - start < 2000000000n) {
    const d = delivery(n++);
    check(dairies[d.dairy], d);
  }
  fs.writeFileSync('seals.json', JSON.stringify(dairies.map(({ name, good, bad }) => ({ name, good, bad })), null, 2));
  console.log(`${n} seals checked`);
}

main();
