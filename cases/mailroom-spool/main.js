// A worker of a mail room: it takes the scanned letters out of the spool folder one by one and files them by department.
'use strict';
const fs = require('fs');

let listing = 0n;

function nextLetter() {
  const before = process.hrtime.bigint();
  const waiting = fs.readdirSync('spool');
  listing += process.hrtime.bigint() - before;
  let oldest = null;
  for (const name of waiting) {
    if (name.endsWith('.letter') && (oldest === null || name < oldest)) oldest = name;
  }
  return oldest;
}

function fileLetter(name) {
  const department = name.split('-')[1][0];
  fs.renameSync(`spool/${name}`, `filed/${department}-${name}`);
}

const start = process.hrtime.bigint();
let letters = 0;

function work() {
  const name = nextLetter();
  if (name === null || process.hrtime.bigint() - start > 2000000000n) {
    const end = process.hrtime.bigint();
    fs.writeFileSync('truth', `listing ${(Number(listing) / Number(end - start)).toFixed(3)}\nletters ${letters}\n`);
    return;
  }
  fileLetter(name);
  letters++;
  setImmediate(work);
}

work();
