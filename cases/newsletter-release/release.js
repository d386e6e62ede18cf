// Sets the pages of the newsletter and publishes them.
'use strict';
const { execFileSync } = require('child_process');
const fs = require('fs');
const path = require('path');

const articles = [
  { title: 'Summer fair', words: ['cake', 'raffle', 'band', 'rain'] },
  { title: 'Bell repair', words: ['bronze', 'rope', 'tower', 'cost'] },
  { title: 'Choir trip', words: ['coach', 'abbey', 'lunch', 'song'] },
  { title: 'Lost cat', words: ['black', 'white', 'milk', 'home'] },
];

function setColumn(words, lines) {
  const column = [];
  for (let n = 0; n < lines; n++) {
    column.push(words.map((word, i) => words[(i + n) % words.length]).join(' '));
  }
  return column;
}

function setPage(article, number) {
  const left = setColumn(article.words, 40);
  const right = setColumn([...article.words].reverse(), 40);
  const rows = left.map((line, n) => line.padEnd(34) + right[n]);
  return [`${number}. ${article.title}`, '', ...rows, ''].join('\n');
}

function publishPage(file) {
  const script = path.join(__dirname, 'publish.sh');
  return execFileSync('sh', [script, file], { encoding: 'utf8' }).trim();
}

const start = performance.now();
let publishing = 0;
articles.forEach((article, n) => {
  const file = `page-${n + 1}.txt`;
  fs.writeFileSync(file, setPage(article, n + 1));
  const before = performance.now();
  console.log(publishPage(file));
  publishing += performance.now() - before;
});
const wall = performance.now() - start;
fs.writeFileSync('truth', `share_publishing ${(publishing / wall).toFixed(3)}\nseconds ${(wall / 1000).toFixed(3)}\n`);
