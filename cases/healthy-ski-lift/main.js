// The display of a ski lift: a new picture ten times per second, each of which takes some milliseconds to draw.
'use strict';
const fs = require('node:fs');

let drawing = 0n;
let pictures = 0;
let snow = 1;

function drawPicture() {
  const before = process.hrtime.bigint();
  for (let dot = 0; dot < 2_000_000; dot++) snow = (Math.imul(snow, 1664525) + 1013904223) | 0;
  drawing += process.hrtime.bigint() - before;
  pictures++;
}

const [perSecond, seconds] = process.argv.slice(2).map(Number);
const start = process.hrtime.bigint();
const clock = setInterval(drawPicture, 1000 / perSecond);
setTimeout(() => {
  clearInterval(clock);
  const took = Number(process.hrtime.bigint() - start);
  fs.writeFileSync('truth', `drawing ${(Number(drawing) / took).toFixed(3)}\npictures ${pictures}\nsnow ${snow}\n`);
}, seconds * 1000);
