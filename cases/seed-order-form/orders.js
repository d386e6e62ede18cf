'use strict';
const { check } = require('./validate.js');

const amount = { oneOf: ['empty', 'number', 'text'] };
const order = {
  fields: {
    customer: 'text',
    lines: { each: { fields: { seed: 'text', grams: amount, pieces: amount, note: amount } } },
  },
};

function makeOrder(number) {
  const lines = [];
  for (let i = 0; i < 12; i++) {
    lines.push({ seed: `seed ${(number * 7 + i) % 300}`, grams: String((number + i) % 50), pieces: 'some', note: 'as last year' });
  }
  return { customer: `garden ${number % 80}`, lines };
}

function main() {
  const until = Date.now() + 2000;
  const bySeed = new Map();
  let checked = 0;
  while (Date.now() < until) {
    const next = makeOrder(checked);
    check(order, next, 'order');
    for (const line of next.lines) bySeed.set(line.seed, (bySeed.get(line.seed) || 0) + 1);
    checked++;
  }
  console.log(`${checked} orders for ${bySeed.size} seeds`);
}

main();
