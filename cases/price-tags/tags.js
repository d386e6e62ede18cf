// The price tags of a shop: show each price that the office writes.
'use strict';
const fs = require('fs');

let shown = 0;
let late = 0;

function showPrice() {
  const [price, written] = fs.readFileSync('price.txt', 'utf8').split(' ');
  late += shown ? Date.now() / 1000 - Number(written) : 0;
  shown++;
  fs.writeFileSync('shown.part', price);
  fs.renameSync('shown.part', 'shown.txt');
}

const start = Date.now();
fs.watchFile('price.txt', { interval: 300 }, () => {
  showPrice();
  if (shown < 8) return;
  fs.unwatchFile('price.txt');
  const wall = (Date.now() - start) / 1000;
  fs.writeFileSync('truth', `unnoticed ${(late / wall).toFixed(3)}\nprices ${shown}\n`);
});
setTimeout(showPrice, 50);
