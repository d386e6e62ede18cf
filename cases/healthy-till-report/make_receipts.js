// The receipts of a supermarket.
'use strict';
const fs = require('fs');

const out = fs.openSync('receipts.jsonl', 'w');
for (let block = 0; block < 300; block++) {
  const lines = [];
  for (let i = 0; i < 2500; i++) {
    const number = block * 2500 + i;
    const items = [];
    for (let item = 0; item < 1 + (number % 7); item++) {
      items.push({ article: (number * 31 + item * 977) % 4000, pieces: 1 + (item % 3), cents: 99 + ((number * item) % 2000) });
    }
    lines.push(JSON.stringify({ till: number % 14, hour: 7 + (number % 14), items }));
  }
  fs.writeSync(out, lines.join('\n') + '\n');
}
fs.closeSync(out);
