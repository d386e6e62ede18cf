// The desk of a hotel: gives rooms to guests until the night is over.
'use strict';
const fs = require('fs');
const net = require('net');

const free = Array.from({ length: 120 }, (_, room) => 101 + room);
let busy = 0;
let guests = 0;

function giveRoom(wish) {
  const nights = Number(/for (\d+) nights/.exec(wish)?.[1] ?? 1);
  const room = free.shift();
  return room ? `Room ${room}, ${nights * 79} Euro\n` : 'We have no room left\n';
}

const start = process.hrtime.bigint();
const desk = net.createServer((guest) => {
  guest.on('error', () => {});
  guest.once('data', (wish) => {
    const before = process.hrtime.bigint();
    guest.end(giveRoom(wish.toString()));
    guests++;
    busy += Number(process.hrtime.bigint() - before);
  });
});
desk.listen('desk.sock');
setTimeout(() => {
  const wall = Number(process.hrtime.bigint() - start);
  fs.writeFileSync('truth', `busy ${(busy / wall).toFixed(5)}\nguests ${guests}\n`);
  desk.close();
  process.exit(0);
}, 2200);
