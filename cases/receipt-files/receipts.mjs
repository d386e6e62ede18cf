// Writes the receipts of a day: each is laid out, signed, and stored in a file of its own.
import { mkdir, writeFile } from 'node:fs/promises';
import { createHmac } from 'node:crypto';
import path from 'node:path';

const KEY = 'shop-key';

function layOut(receipt) {
  const rows = receipt.items.map(({ name, count, price }) =>
    `${name.padEnd(30, '.')}${String(count).padStart(4)} ${(count * price / 100).toFixed(2).padStart(10)}`);
  const total = receipt.items.reduce((sum, i) => sum + i.count * i.price, 0);
  return [`Receipt ${receipt.number}`, ...rows, `Total ${(total / 100).toFixed(2)}`].join('\n') + '\n';
}

function sign(text) {
  let mark = text;
  for (let i = 0; i < 900; i++) mark = createHmac('sha256', KEY).update(mark).digest('hex');
  return `${text}-- ${mark}\n`;
}

async function store(folder, receipt, text) {
  await writeFile(path.join(folder, `${receipt.number}.txt`), text, { flush: true });
}

function* sales() {
  for (let number = 1; ; number++) {
    yield { number, items: Array.from({ length: 6 + number % 5 }, (_, i) => ({ name: `article ${(number * 7 + i) % 300}`, count: 1 + i % 3, price: 199 + 20 * i })) };
  }
}

const until = performance.now() + 2000;
await mkdir('receipts', { recursive: true });
let last = 0;
for (const sale of sales()) {
  await store('receipts', sale, sign(layOut(sale)));
  last = sale.number;
  if (performance.now() > until) break;
}
console.log(`${last} receipts`);
