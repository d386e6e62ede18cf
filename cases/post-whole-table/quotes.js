// Answers quotes in a worker thread, so that the main thread stays free.
'use strict';
const fs = require('fs');
const { Worker, isMainThread, parentPort } = require('worker_threads');

function bestPrice(prices, article, count) {
  let best = Infinity;
  for (const price of prices.get(article) ?? []) if (price.from <= count) best = Math.min(best, price.cents);
  return best * count;
}

function answerQuotes() {
  parentPort.on('message', ({ prices, article, count }) => {
    const before = performance.now();
    const cents = bestPrice(prices, article, count);
    parentPort.postMessage({ cents, working: performance.now() - before });
  });
}

let cloning = 0;

function askWorker(worker, question) {
  return new Promise((resolve) => {
    worker.once('message', resolve);
    const before = performance.now();
    worker.postMessage(question);
    cloning += performance.now() - before;
  });
}

async function quote(worker, prices, number) {
  return askWorker(worker, { prices, article: `article-${number % 9000}`, count: 1 + number % 50 });
}

async function main() {
  const prices = new Map();
  for (let n = 0; n < 9000; n++) {
    prices.set(`article-${n}`, [1, 5, 10, 50].map((from) => ({ from, cents: 1000 + n % 700 - from, currency: 'EUR' })));
  }
  const worker = new Worker(__filename);
  const start = performance.now();
  let quotes = 0;
  let working = 0;
  for (; performance.now() - start < 1900; quotes++) working += (await quote(worker, prices, quotes)).working;
  const took = performance.now() - start;
  await worker.terminate();
  fs.writeFileSync('truth', `cloning_in_main ${(cloning / took).toFixed(3)}\nworking ${(working / took).toFixed(4)}\n` +
    `quotes ${quotes}\n`);
}

if (isMainThread) main();
else answerQuotes();
