// Files the scans of an archive: each scan is catalogued by the archive's own tool.
const { execFileSync } = require("child_process");
const fs = require("fs");
const path = require("path");

const tool = path.join(process.env.CASE, "catalog.py");

function makeScan(number) {
  const name = `scan-${number}.pgm`;
  const dots = Buffer.alloc(4096);
  for (let i = 0; i < dots.length; i++) dots[i] = (i * number) & 255;
  fs.writeFileSync(name, dots);
  return name;
}

function catalog(names) {
  return execFileSync("python3", [tool, "archive.db", ...names]).toString().trim();
}

function fileScans(batch) {
  const names = [];
  for (let i = 0; i < 5; i++) names.push(makeScan(batch * 5 + i));
  return catalog(names);
}

let scans = 0;
let begun = 0;
const start = Date.now();
for (let batch = 0; Date.now() - start < 1800; batch++) {
  const [count, seconds] = fileScans(batch).split(" ").map(Number);
  scans = count;
  begun += seconds;
}
fs.writeFileSync("truth", `share ${((begun * 1000) / (Date.now() - start)).toFixed(3)}\n`);
console.log(scans, "scans in the catalogue");
