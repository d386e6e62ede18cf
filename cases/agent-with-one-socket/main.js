// A travel site asks a fare service for twelve routes at once. Its agent keeps the connection alive, as it should, but
// "maxSockets: 1" makes the twelve requests wait for one another.
'use strict';
const fs = require('fs');
const http = require('http');

const port = Number(fs.readFileSync('ready', 'utf8'));
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const times = { requests: 0, whole: 0, onTheWire: 0 };

function askFare(route) {
  return new Promise((resolve, reject) => {
    const before = process.hrtime.bigint();
    let sent;
    const request = http.get({ port, host: '127.0.0.1', path: `/fare/${route}`, agent }, (reply) => {
      let text = '';
      reply.setEncoding('utf8');
      reply.on('data', (part) => { text += part; });
      reply.on('end', () => {
        const now = process.hrtime.bigint();
        times.requests++;
        times.whole += Number(now - before) / 1e6;
        times.onTheWire += Number(now - sent) / 1e6;
        resolve(Number(text));
      });
    });
    request.on('socket', () => { sent = process.hrtime.bigint(); });
    request.on('error', reject);
  });
}

async function searchTrip(number) {
  const routes = Array.from({ length: 12 }, (_, leg) => `${number % 40}-${leg}`);
  const fares = await Promise.all(routes.map(askFare));
  return Math.min(...fares);
}

async function main() {
  const start = Date.now();
  let trips = 0;
  let sum = 0;
  while (Date.now() - start < 2000) sum += await searchTrip(trips++);
  agent.destroy();
  fs.writeFileSync('truth', `trips ${trips}\nms_per_request ${(times.whole / times.requests).toFixed(1)}\n` +
    `ms_of_it_on_the_wire ${(times.onTheWire / times.requests).toFixed(1)}\nsum ${sum}\n`);
}
main();
