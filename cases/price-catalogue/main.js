'use strict';
// Renders the catalogue of a bookseller, a page per shelf, with prices as the readers of each country write them.
const SECONDS = 2.0;
const COUNTRIES = [['de-DE', 'EUR'], ['en-GB', 'GBP'], ['fr-CH', 'CHF'], ['sv-SE', 'SEK']];

function books(shelf) {
  return Array.from({ length: 120 }, (_, n) => ({
    title: `Volume ${n} of shelf ${shelf}`, cents: 495 + ((n * 7919 + shelf * 104729) % 18000),
  }));
}

function priceText(cents, [locale, currency]) {
  return (cents / 100).toLocaleString(locale, { style: 'currency', currency, minimumFractionDigits: 2 });
}

function row(book, country) {
  return `<tr><td>${book.title}</td><td>${priceText(book.cents, country)}</td></tr>`;
}

function page(shelf) {
  const country = COUNTRIES[shelf % COUNTRIES.length];
  return `<table>${books(shelf).map((book) => row(book, country)).join('')}</table>`;
}

function main() {
  const until = Date.now() + SECONDS * 1000;
  let shelf = 0;
  let letters = 0;
  while (Date.now() < until) {
    letters += page(shelf++).length;
  }
  console.log(`${shelf} pages, ${letters} letters`);
}

main();
