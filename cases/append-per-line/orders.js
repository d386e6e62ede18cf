// Takes orders, and notes each step in an audit log with appendFileSync.
'use strict';
const fs = require('fs');

let lines = 0;
let appending = 0n;

function audit(step, number) {
  const before = process.hrtime.bigint();
  fs.appendFileSync('audit.log', `${number} ${step}\n`);
  appending += process.hrtime.bigint() - before;
  lines++;
}

function takeOrder(number) {
  audit('received', number);
  let total = 0;
  for (let item = 0; item < 20; item++) total += (number * 31 + item * 17) % 1000;
  audit(`total ${total}`, number);
  if (total > 10000) audit('needs approval', number);
  audit('accepted', number);
  return total;
}

const start = process.hrtime.bigint();
let orders = 0;
while (process.hrtime.bigint() - start < 2000000000n) takeOrder(orders++);
const took = process.hrtime.bigint() - start;

const before = process.hrtime.bigint();
const file = fs.openSync('audit2.log', 'a');
let text = '';
for (let n = 0; n < lines; n++) {
  text += `${n} accepted\n`;
  if (text.length > 65536) {
    fs.writeSync(file, text);
    text = '';
  }
}
fs.writeSync(file, text);
fs.closeSync(file);
fs.writeFileSync('truth', `appending ${Number(appending) / Number(took)}\norders ${orders}\nlines ${lines}\n` +
  `same_lines_one_file_ms ${Number(process.hrtime.bigint() - before) / 1e6}\n`);
