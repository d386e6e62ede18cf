// Writes a table of orders; each date is written in German with a formatter that is made anew for it.
'use strict';
const fs = require('fs');

const style = { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric', timeZone: 'Europe/Berlin' };

function formatDay(day) {
  return new Intl.DateTimeFormat('de-DE', style).format(day);
}

const rows = [];
const start = performance.now();
let formatting = 0;
while (performance.now() - start < 2000) {
  const before = performance.now();
  const day = formatDay(new Date(1.7e12 + rows.length * 864e5 % 1e11));
  formatting += performance.now() - before;
  rows.push(`${rows.length};${day};${rows.length * 7919 % 1000}`);
}
const took = performance.now() - start;
const once = new Intl.DateTimeFormat('de-DE', style);
const before = performance.now();
for (let n = 0; n < rows.length; n++) once.format(new Date(1.7e12 + n * 864e5 % 1e11));
fs.writeFileSync('orders.csv', rows.join('\n'));
fs.writeFileSync('truth', `formatting ${(formatting / took).toFixed(3)}\nrows ${rows.length}\n` +
  `with_one_formatter ${((performance.now() - before) / took).toFixed(3)}\n`);
