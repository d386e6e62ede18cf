// The chains of chain.c in JavaScript: JSON, regular expressions, sorting with a callback, a wait in the chain and
// waits of the event loop.
let sink = 0;
const cell = new Int32Array(new SharedArrayBuffer(4));

function compute(seed) {
  const numbers = [];
  for (let i = 0; i < 2000; i++) numbers.push((seed = (seed + 0x9e3779b9) >>> 0) >>> 7);
  numbers.sort((a, b) => a - b);
  const names = new Map();
  for (let i = 0; i < 300; i++) names.set(String(numbers[i]), { i, list: [i, String(i)] });
  const text = JSON.stringify([...names]);
  sink += JSON.parse(text).length + text.replace(/[0-9]+/g, (found) => found.length).length;
}

function wait_a_little() {
  Atomics.wait(cell, 0, 0, 0.7);
  sink++;
}

function bottom_0() { compute(0); wait_a_little(); sink++; }
function bottom_1() { compute(1); wait_a_little(); sink++; }
function bottom_2() { compute(2); wait_a_little(); sink++; }
function bottom_3() { compute(3); wait_a_little(); sink++; }
function bottom_4() { compute(4); wait_a_little(); sink++; }
function bottom_5() { compute(5); wait_a_little(); sink++; }
function bottom_6() { compute(6); wait_a_little(); sink++; }
function bottom_7() { compute(7); wait_a_little(); sink++; }
const bottoms = [bottom_0, bottom_1, bottom_2, bottom_3, bottom_4, bottom_5, bottom_6, bottom_7];
function turn_8(n) { bottoms[n](); sink++; }
function left_7(n) { turn_8(n); sink++; }
function right_7(n) { turn_8(n); sink++; }
function left_6(n) { n >> (7 % 3) & 1 ? right_7(n) : left_7(n); sink++; }
function right_6(n) { n >> (7 % 3) & 1 ? right_7(n) : left_7(n); sink++; }
function left_5(n) { n >> (6 % 3) & 1 ? right_6(n) : left_6(n); sink++; }
function right_5(n) { n >> (6 % 3) & 1 ? right_6(n) : left_6(n); sink++; }
function left_4(n) { n >> (5 % 3) & 1 ? right_5(n) : left_5(n); sink++; }
function right_4(n) { n >> (5 % 3) & 1 ? right_5(n) : left_5(n); sink++; }
function left_3(n) { n >> (4 % 3) & 1 ? right_4(n) : left_4(n); sink++; }
function right_3(n) { n >> (4 % 3) & 1 ? right_4(n) : left_4(n); sink++; }
function left_2(n) { n >> (3 % 3) & 1 ? right_3(n) : left_3(n); sink++; }
function right_2(n) { n >> (3 % 3) & 1 ? right_3(n) : left_3(n); sink++; }
function left_1(n) { n >> (2 % 3) & 1 ? right_2(n) : left_2(n); sink++; }
function right_1(n) { n >> (2 % 3) & 1 ? right_2(n) : left_2(n); sink++; }
function left_0(n) { n >> (1 % 3) & 1 ? right_1(n) : left_1(n); sink++; }
function right_0(n) { n >> (1 % 3) & 1 ? right_1(n) : left_1(n); sink++; }

const until = performance.now() + 1000 * Number(process.argv[2] || 1);
function work(n) {
  for (let i = 0; i < 8; i++) n + i & 1 ? right_0((n + i) % 8) : left_0((n + i) % 8);
  if (performance.now() < until) setTimeout(work, 1, n + 8);
}
work(0);
