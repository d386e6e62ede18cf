// The ledger of the bank: answers any number of connections, each question after the time the old machine takes.
'use strict';
const fs = require('fs');
const net = require('net');

const server = net.createServer((socket) => {
  socket.setNoDelay(true);
  let rest = '';
  socket.on('data', (data) => {
    const lines = (rest + data).split('\n');
    rest = lines.pop();
    for (const line of lines) setTimeout(() => socket.write(`${line} ${(Number(line) * 7919) % 100000}\n`), 14);
  });
  socket.on('error', () => {});
});
server.listen('ledger.sock', () => fs.writeFileSync('ready', ''));
