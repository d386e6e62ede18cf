// The cart service of a shop: keeps carts in memory, answers JSON over HTTP, ends by itself after two seconds.
'use strict';
const fs = require('fs');
const http = require('http');

const carts = new Map();
let served = 0;
let longest = 0;

function cartOf(customer) {
  let cart = carts.get(customer);
  if (!cart) carts.set(customer, (cart = { customer, items: [], total: 0 }));
  return cart;
}

function addItem(cart, item) {
  cart.items.push(item);
  if (cart.items.length > 20) cart.items = [];
  cart.total = cart.items.reduce((sum, one) => sum + one.cents * one.amount, 0);
  return cart;
}

function readBody(request) {
  return new Promise((resolve, reject) => {
    const pieces = [];
    request.on('data', (piece) => pieces.push(piece));
    request.on('end', () => resolve(Buffer.concat(pieces).toString()));
    request.on('error', reject);
  });
}

async function answer(request, response) {
  const customer = request.url.slice('/cart/'.length);
  let cart = cartOf(customer);
  if (request.method === 'POST') {
    const body = await readBody(request);
    cart = addItem(cart, JSON.parse(body));
  }
  const before = process.hrtime.bigint();
  const text = JSON.stringify(cart);
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
  served++;
  longest = Math.max(longest, Number(process.hrtime.bigint() - before) / 1e6);
}

const server = http.createServer((request, response) => {
  answer(request, response).catch((error) => {
    response.statusCode = 400;
    response.end(String(error));
  });
});
server.keepAliveTimeout = 10000;
server.listen(0, '127.0.0.1', () => {
  fs.writeFileSync('port.new', String(server.address().port));
  fs.renameSync('port.new', 'port');
});
setTimeout(() => {
  fs.writeFileSync('truth', `served ${served}\ncarts ${carts.size}\nlongest_answer_ms ${longest.toFixed(2)}\n`);
  server.close();
  server.closeAllConnections();
}, 2000);
