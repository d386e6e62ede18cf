// Searches the catalogue of a library, which was much smaller when somebody chose the size of the heap.
'use strict';
const fs = require('fs');
const { PerformanceObserver, performance } = require('perf_hooks');

let collecting = 0;
const observer = new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) collecting += entry.duration;
});
observer.observe({ entryTypes: ['gc'] });

function makeBook(number) {
  return {
    number,
    title: `Book ${number} of the collection`,
    author: { first: `A${number % 977}`, last: `Author ${number % 3571}` },
    shelf: `${number % 61}-${number % 13}`,
    keywords: [`k${number % 11}`, `k${number % 17}`, `k${number % 23}`],
  };
}

function loadCatalogue(count) {
  const books = [];
  for (let n = 0; n < count; n++) books.push(makeBook(n));
  return books;
}

function loansOfDay(books, day) {
  const loans = [];
  for (let n = 0; n < 9000; n++) {
    const book = books[(n * 7919 + day * 104729) % books.length];
    loans.push({ book, reader: { card: n % 5000, name: `Reader ${n % 5000}` }, due: day + 28, history: [day, n] });
  }
  return loans;
}

function overdue(loans, day) {
  return loans.filter((loan) => loan.due < day).map((loan) => `${loan.reader.name}: ${loan.book.title}`);
}

async function main() {
  const books = loadCatalogue(Number(process.argv[2]));
  let recent = [];
  await new Promise((done) => setTimeout(done, 20));
  const start = performance.now();
  const before = collecting;
  let days = 0;
  let letters = 0;
  while (performance.now() - start < 2000) {
    recent.push(loansOfDay(books, days));
    if (recent.length > 6) letters += overdue(recent.shift(), days + 25).length;
    days++;
    await new Promise(setImmediate);
  }
  await new Promise((done) => setTimeout(done, 5));
  const wall = performance.now() - start;
  fs.writeFileSync('truth', `collecting ${((collecting - before) / wall).toFixed(3)}\ndays ${days}\nletters ${letters}\nheap_mb ${(process.memoryUsage().heapUsed / 1e6).toFixed(0)}\n`);
}

main();
