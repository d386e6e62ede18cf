// A school writes to all parents. Each letter is formatted by a script, for which a new Node is started.
'use strict';
const { execFileSync } = require('child_process');
const fs = require('fs');
const path = require('path');

const formatter = path.join(__dirname, 'format_letter.js');
let formatting = 0;

function formatLetter(family, subject) {
  const before = process.hrtime.bigint();
  const letter = execFileSync(process.execPath, [formatter, family, subject], { encoding: 'utf8' });
  formatting += Number(process.hrtime.bigint() - before) / 1e9;
  return letter;
}

const start = Date.now();
const letters = [];
while (Date.now() - start < 2000) {
  letters.push(formatLetter(`Family ${letters.length}`, 'our summer fair'));
}
const wall = (Date.now() - start) / 1000;
const inside = Number(/took (\d+)/.exec(letters[0])[1]) / 1000;
fs.writeFileSync('truth', `formatting ${(formatting / wall).toFixed(3)}\nletters ${letters.length}\n` +
  `ms_per_letter ${(1000 * wall / letters.length).toFixed(1)}\nms_of_formatting_in_the_first ${inside.toFixed(3)}\n`);
