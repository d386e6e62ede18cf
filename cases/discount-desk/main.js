'use strict';
// Computes the discounts of orders by rules that the shop's managers have written.
const vm = require('node:vm');

const RULES = [
  'order.total > 100 ? order.total * 0.05 : 0',
  'order.items.length > 4 ? 3 : 0',
  'order.customer.loyal ? Math.min(order.total * 0.02, 10) : 0',
  'order.day === 2 ? order.items.filter((item) => item.kind === "book").length : 0',
];

function makeOrder(id) {
  const items = [];
  for (let i = 0; i <= id % 6; i++) items.push({ kind: i % 2 ? 'book' : 'game', price: (id * 7 + i * 13) % 60 });
  const total = items.reduce((sum, item) => sum + item.price, 0);
  return { id, items, total, day: id % 7, customer: { loyal: id % 3 === 0 } };
}

function applyRule(rule, order) {
  return vm.runInNewContext(rule, { order, Math });
}

function discount(order) {
  return RULES.reduce((sum, rule) => sum + applyRule(rule, order), 0);
}

function main() {
  const start = process.hrtime.bigint();
  const end = start + 2_000_000_000n;
  let orders = 0;
  let given = 0;
  while (process.hrtime.bigint() < end) {
    given += discount(makeOrder(orders));
    orders++;
  }
  console.log(`${orders} orders, ${given.toFixed(2)} given`);
}

main();
