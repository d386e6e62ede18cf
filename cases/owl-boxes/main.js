// Listens to the nesting boxes of owls over a socket, keeps the last visits, and writes a summary at every half second.
'use strict';
const fs = require('fs');
const net = require('net');
const readline = require('readline');

const visits = new Map();
let received = 0;
let summaries = 0;

function note(line) {
  const [box, owl] = line.split(' ');
  if (!visits.has(box)) visits.set(box, []);
  const last = visits.get(box);
  last.push(owl);
  if (last.length > 20) last.shift();
  received++;
}

function summary() {
  const lines = [...visits].sort().map(([box, owls]) => `${box}: ${owls.length} visits, last ${owls.at(-1)}`);
  summaries++;
  fs.promises.writeFile('summary.txt', lines.join('\n') + '\n');
}

const timer = setInterval(summary, 500);
const server = net.createServer((socket) => {
  const lines = readline.createInterface({ input: socket });
  lines.on('line', (line) => {
    if (line !== 'morning') return note(line);
    clearInterval(timer);
    socket.end();
    server.close();
    fs.writeFileSync('truth', `received ${received}\nsummaries ${summaries}\n`);
  });
});
server.listen('owls.sock');
