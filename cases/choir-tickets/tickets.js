// Reserves the seats of a season-ticket list with the first ticket service that answers.
'use strict';
const fs = require('fs');
const net = require('net');

const services = [4719, Number(fs.readFileSync('ready', 'utf8'))];
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let refused = 0;
let paused = 0;

function askService(port, singer) {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(singer + '\n'));
    let reply = '';
    socket.setEncoding('utf8');
    socket.on('data', (text) => { reply += text; });
    socket.on('end', () => resolve(reply.trim()));
    socket.on('error', reject);
  });
}

async function reserveSeat(singer) {
  for (const port of services) {
    for (let attempt = 0; attempt < 2; attempt++) {
      try {
        return await askService(port, singer);
      } catch (error) {
        refused++;
        const before = performance.now();
        await pause(30);
        paused += performance.now() - before;
      }
    }
  }
  throw new Error('no ticket service for ' + singer);
}

async function main() {
  const start = performance.now();
  const seats = [];
  for (let i = 0; i < 36; i++) {
    const voice = ['soprano', 'alto', 'tenor', 'bass'][i % 4];
    seats.push(await reserveSeat(`${voice} ${i + 1}`));
  }
  fs.writeFileSync('seats.txt', seats.join('\n'));
  const wall = performance.now() - start;
  fs.writeFileSync('truth', `share_of_pauses ${(paused / wall).toFixed(3)}\nrefused ${refused}\nseats ${seats.length}\n`);
}

main();
