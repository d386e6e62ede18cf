// Makes the catalogue of a museum's fossils, by number, from the lists of its drawers.
const fs = require("fs");

const PERIODS = ["Cambrian", "Devonian", "Permian", "Triassic", "Jurassic", "Cretaceous"];

function drawer(number) {
  const fossils = [];
  for (let n = 0; n < 700; n++) {
    fossils.push({ number: `F-${number}-${(n * 7) % 700}`, period: PERIODS[n % PERIODS.length], grams: (n * 13) % 900 });
  }
  return fossils;
}

function byNumber(fossils) {
  return fossils.reduce((catalogue, fossil) => ({ ...catalogue, [fossil.number]: fossil }), {});
}

function weightOf(catalogue) {
  let grams = 0;
  for (const number in catalogue) grams += catalogue[number].grams;
  return grams;
}

const start = process.hrtime.bigint();
let drawers = 0;
let grams = 0;
while (process.hrtime.bigint() - start < 2_000_000_000n) {
  grams += weightOf(byNumber(drawer(drawers)));
  drawers++;
}
fs.writeFileSync("truth", `drawers ${drawers}\ngrams ${grams}\n`);
