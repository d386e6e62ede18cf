'use strict';
// Reserves seats of a concert hall for the visitors of a web shop, eight of whom are there at any time.
const http = require('http');

class Mutex {
  constructor() { this.last = Promise.resolve(); }

  async run(task) {
    const before = this.last;
    let release;
    this.last = new Promise((resolve) => { release = resolve; });
    await before;
    try {
      return await task();
    } finally {
      release();
    }
  }
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 20 });
const hall = { free: new Set(Array.from({ length: 4000 }, (_, n) => n)), sold: new Map(), mutex: new Mutex() };

function confirm(seat) {
  return new Promise((resolve, reject) => {
    http.get({ host: '127.0.0.1', port: 18481, path: `/${seat}`, agent }, (response) => {
      let text = '';
      response.on('data', (part) => { text += part; });
      response.on('end', () => resolve(JSON.parse(text)));
    }).on('error', reject);
  });
}

function reserve(visitor) {
  return hall.mutex.run(async () => {
    const seat = hall.free.values().next().value;
    hall.free.delete(seat);
    await confirm(seat);
    hall.sold.set(seat, visitor);
    return seat;
  });
}

async function visitor(name, until) {
  let seats = 0;
  while (Date.now() < until) {
    await reserve(name);
    seats++;
  }
  return seats;
}

async function main() {
  const until = Date.now() + 1800;
  const seats = await Promise.all(Array.from({ length: 8 }, (_, n) => visitor(`visitor ${n}`, until)));
  console.log('seats:', seats.join(' '), '- sold', hall.sold.size);
  process.exit(0);
}

main();
