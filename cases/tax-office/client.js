// A shop that asks a gateway for the tax on each order, one after the other.
'use strict';
const fs = require('fs');
const net = require('net');

const shop = net.connect(Number(fs.readFileSync('ready', 'utf8')), '127.0.0.1');
shop.setNoDelay(true);
const start = Date.now();
let orders = 0, waited = 0;

function taxOn(order) {
  return new Promise((resolve) => {
    shop.once('data', resolve);
    shop.write(`order ${order}\n`);
  });
}

async function closeTheDay() {
  while (Date.now() - start < 2000) {
    const before = performance.now();
    await taxOn(orders++);
    waited += performance.now() - before;
  }
  shop.end();
  fs.writeFileSync('truth', `waited ${(waited / (Date.now() - start)).toFixed(3)}\norders ${orders}\n` +
    `ms_per_order ${(waited / orders).toFixed(1)}\n`);
}
closeTheDay();
