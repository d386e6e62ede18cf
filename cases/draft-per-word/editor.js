// An editor of letters (here: a letter that is dictated), which must not lose a word.
'use strict';
const fs = require('fs');

const WORDS = 'dear aunt we arrived on the island and the weather is fine today although it rained last night'.split(' ');
const draft = fs.openSync('letter.draft', 'a');
let saving = 0;

function saveDraft(word) {
  const before = process.hrtime.bigint();
  fs.writeSync(draft, `${word} `);
  fs.fsyncSync(draft);
  saving += Number(process.hrtime.bigint() - before);
}

function typeWord(number) {
  saveDraft(WORDS[number % WORDS.length]);
}

let words = 0;
const start = process.hrtime.bigint();
while (process.hrtime.bigint() - start < 2000000000n) {
  typeWord(words++);
}
const wall = Number(process.hrtime.bigint() - start);
fs.closeSync(draft);
fs.writeFileSync('truth', `share ${(saving / wall).toFixed(3)}\nwords ${words}\n`);
