// Tells the observers of an egret colony when to count: every 90 milliseconds here, for as long as asked.
// usage: main.js EVERY_MS FOR_MS
'use strict';
const fs = require('fs');

const [every, length] = process.argv.slice(2).map(Number);
const counts = [];

function count() {
  const at = Date.now();
  counts.push({ at, herd: (at % 97) + counts.length });
}

function finish(timer) {
  clearInterval(timer);
  const pauses = counts.slice(1).map((c, n) => c.at - counts[n].at);
  const longest = Math.max(...pauses);
  fs.writeFileSync('counts.csv', counts.map((c) => `${c.at},${c.herd}\n`).join(''));
  fs.writeFileSync('truth', `counts ${counts.length}\nlongest_pause_ms ${longest}\n`);
}

const timer = setInterval(count, every);
setTimeout(() => finish(timer), length);
