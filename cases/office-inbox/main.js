'use strict';
// Watches the inbox of an office for the time that its argument says, and indexes each scan as it comes.
const fs = require('node:fs');
const path = require('node:path');

const index = new Map();
let scans = 0;

function indexScan(file) {
  for (const word of fs.readFileSync(file, 'utf8').split(/\s+/)) index.set(word, (index.get(word) || 0) + 1);
  scans++;
}

function main(seconds) {
  const seen = new Set();
  const watcher = fs.watch('inbox', (event, name) => {
    if (event !== 'rename' || !name || name.startsWith('.') || seen.has(name)) return;
    seen.add(name);
    indexScan(path.join('inbox', name));
  });
  setTimeout(() => {
    watcher.close();
    console.log(`${scans} scans, ${index.size} words`);
  }, seconds * 1000);
}

main(Number(process.argv[2]));
