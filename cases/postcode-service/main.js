// Completes the addresses of an import: a service on this machine knows the town of each postcode.
'use strict';
const fs = require('fs');
const http = require('http');

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const port = Number(fs.readFileSync('port', 'utf8'));
let waited = 0;

function townOf(postcode) {
  return new Promise((resolve, reject) => {
    const before = process.hrtime.bigint();
    http
      .get({ host: '127.0.0.1', port, path: `/postcode/${postcode}`, agent }, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (piece) => (text += piece));
        answer.on('end', () => {
          waited += Number(process.hrtime.bigint() - before);
          resolve(text.trim());
        });
      })
      .on('error', reject);
  });
}

function nextAddress(number) {
  return { name: `Customer ${number}`, street: `Main street ${number % 90}`, postcode: String(10000 + ((number * 7919) % 89999)) };
}

async function completeAddress(address) {
  address.town = await townOf(address.postcode);
  return address;
}

async function main() {
  const out = fs.createWriteStream('addresses.csv');
  const start = process.hrtime.bigint();
  let number = 0;
  while (process.hrtime.bigint() - start < 2000000000n) {
    const address = await completeAddress(nextAddress(number++));
    out.write(`${address.name};${address.street};${address.postcode};${address.town}\n`);
  }
  const wall = Number(process.hrtime.bigint() - start);
  out.end();
  agent.destroy();
  fs.writeFileSync('truth', `waited ${(waited / wall).toFixed(3)}\naddresses ${number}\nms_per_address ${(waited / 1e6 / number).toFixed(1)}\n`);
}

main();
