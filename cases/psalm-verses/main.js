'use strict';
// Puts the verses of a long hymn together with the voices that sing them.
const fs = require('fs');

const SECONDS = 2.0;

function writeHymn(file) {
  const verses = [];
  for (let n = 0; n < 14000; n++) {
    verses.push(`${n}. ${'glory and praise '.repeat(1 + (n % 3))}for ever`);
  }
  fs.writeFileSync(file, verses.join('\n'));
}

function verseAt(hymn, number) {
  return hymn.split('\n')[number];
}

function voice(number) {
  return ['soprano', 'alto', 'tenor', 'bass'][number % 4];
}

function arrange(hymn, until) {
  const sheet = [];
  for (let n = 0; n < 14000 && Date.now() < until; n++) {
    sheet.push(`${voice(n)}: ${verseAt(hymn, n)}`);
  }
  return sheet;
}

writeHymn('hymn.txt');
const sheet = arrange(fs.readFileSync('hymn.txt', 'utf8'), Date.now() + SECONDS * 1000);
fs.writeFileSync('sheet.txt', sheet.join('\n'));
console.log(`${sheet.length} verses`);
