// Adds up what was sold, by article and by hour.
'use strict';
const fs = require('fs');

const byArticle = new Map();
const byHour = new Array(24).fill(0);
let receipts = 0;

function addReceipt(receipt) {
  receipts++;
  for (const { article, pieces, cents } of receipt.items) {
    byArticle.set(article, (byArticle.get(article) || 0) + pieces * cents);
    byHour[receipt.hour] += pieces * cents;
  }
}

async function readReceipts(name) {
  let rest = '';
  let reads = 0;
  const times = [process.hrtime.bigint()];
  for await (const piece of fs.createReadStream(name, { encoding: 'utf8', highWaterMark: 256 * 1024 })) {
    reads++;
    const lines = (rest + piece).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      addReceipt(JSON.parse(line));
    }
    times.push(process.hrtime.bigint());
  }
  return { reads, times };
}

async function main() {
  const { reads, times } = await readReceipts('receipts.jsonl');
  const best = [...byArticle].sort((a, b) => b[1] - a[1]).slice(0, 50);
  fs.writeFileSync('report.json', JSON.stringify({ byHour, best }));
  const quarter = Math.floor((times.length - 1) / 4);
  const first = Number(times[2 * quarter] - times[quarter]);
  const last = Number(times[4 * quarter] - times[3 * quarter]);
  fs.writeFileSync('truth', `reads ${reads}\nreceipts ${receipts}\nlast_to_second_quarter ${(last / first).toFixed(2)}\n`);
}

main();
