// Writes the sheets of the parish register to the archive's disk, one file for each person.
const fs = require("fs");
const path = require("path");

let writing = 0n;

function sheetOf(person) {
  const lines = [`person ${person}`];
  for (let year = 0; year < 40; year++) lines.push(`${1800 + year};${(person * 31 + year * 7) % 97};parish of ${person % 12}`);
  return lines.join("\n") + "\n";
}

function writeSheet(folder, person) {
  const before = process.hrtime.bigint();
  fs.writeFileSync(path.join(folder, `sheet-${person}.txt`), sheetOf(person));
  writing += process.hrtime.bigint() - before;
}

function main() {
  const start = process.hrtime.bigint();
  let person = 0;
  while (process.hrtime.bigint() - start < 2000000000n) {
    const folder = path.join("archive", `box-${person % 8}`);
    if (person < 8) fs.mkdirSync(folder);
    writeSheet(folder, person);
    person++;
  }
  const wall = process.hrtime.bigint() - start;
  fs.writeFileSync("truth", `share ${(Number(writing) / Number(wall)).toFixed(3)}\nsheets ${person}\n`);
}

main();
