'use strict';
// Looks at all pages of a kiosk as a browser would: it opens a spare connection before each request.
const fs = require('node:fs');
const net = require('node:net');
const http = require('node:http');

const port = Number(fs.readFileSync('port', 'utf8'));

function openSpare() {
  return new Promise((resolve, reject) => {
    const spare = net.connect(port, '127.0.0.1', () => resolve(spare));
    spare.on('error', reject);
  });
}

function getPage(path) {
  return new Promise((resolve, reject) => {
    http.get({ port, host: '127.0.0.1', path, agent: false }, (answer) => {
      let text = '';
      answer.on('data', (part) => { text += part; });
      answer.on('end', () => resolve(text));
    }).on('error', reject);
  });
}

async function preview(path) {
  const spare = await openSpare();
  const text = await getPage(path);
  spare.destroy();
  return text.length;
}

async function main() {
  let letters = 0;
  for (const path of ['/', '/hours', '/papers']) letters += await preview(path);
  console.log(letters, 'letters');
}

main();
