// A trading terminal: prices come in, and the page that the trader looks at shows them.
'use strict';
const fs = require('fs');
const { Prices } = require('./prices');
const { Page } = require('./page');

const prices = new Prices(400);
const start = performance.now();
let pages = 0, shown = 0, publishing = 0;

// The trader turns to another page every now and then; eight prices come in between.
while (performance.now() - start < 2000) {
  const page = new Page(prices, pages % 400);
  page.open();
  const before = performance.now();
  for (let n = 0; n < 8; n++) prices.publish((pages * 31 + n * 7) % 400, 100 + (pages + n) % 50);
  publishing += performance.now() - before;
  shown += page.lines;
  pages++;
}
const wall = performance.now() - start;
fs.writeFileSync('truth', `publishing ${(publishing / wall).toFixed(3)}\npages ${pages}\nshown ${shown}\n`);
