// The front desk of a mountain hotel: fills its board with what the house knows about each room.
'use strict';
const fs = require('fs');
const http = require('http');

const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
const port = Number(fs.readFileSync('port', 'utf8'));
let waited = 0n;

function askRoom(room) {
  return new Promise((resolve, reject) => {
    http.get({ port, host: '127.0.0.1', path: `/rooms/${room}`, agent }, (answer) => {
      let body = '';
      answer.setEncoding('utf8');
      answer.on('data', (text) => { body += text; });
      answer.on('end', () => resolve(JSON.parse(body)));
    }).on('error', reject);
  });
}

async function fillFloor(floor) {
  const before = process.hrtime.bigint();
  const rooms = await Promise.all([1, 2, 3, 4].map((n) => askRoom(floor * 100 + n)));
  waited += process.hrtime.bigint() - before;
  return rooms.filter((room) => room.guests > 0).length;
}

async function main() {
  const start = process.hrtime.bigint();
  let taken = 0;
  let floors = 0;
  while (process.hrtime.bigint() - start < 1800000000n) {
    taken += await fillFloor(1 + floors % 6);
    floors++;
  }
  const wall = process.hrtime.bigint() - start;
  agent.destroy();
  fs.writeFileSync('truth', `share ${(Number(waited) / Number(wall)).toFixed(3)}\nfloors ${floors}\ntaken ${taken}\n`);
}

main();
