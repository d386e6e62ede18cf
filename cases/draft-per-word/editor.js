// An editor of letters (here: a letter that is dictated), which must not lose a word.
'use strict';
const fs = require('fs');

const WORDS = 'dear aunt we arrived on the island and the weather is fine today although it rained last night'.split(' ');
let saving = 0;

function saveDraft(text) {
  const before = process.hrtime.bigint();
  const draft = fs.openSync('letter.draft', 'w');
  fs.writeFileSync(draft, text);
  fs.fsyncSync(draft);
  fs.closeSync(draft);
  saving += Number(process.hrtime.bigint() - before);
}

function typeWord(letter, word) {
  letter.push(word);
  saveDraft(letter.slice(-400).join(' '));
}

const letter = [];
const start = process.hrtime.bigint();
while (process.hrtime.bigint() - start < 2000000000n) {
  typeWord(letter, WORDS[letter.length % WORDS.length]);
}
const wall = Number(process.hrtime.bigint() - start);
fs.writeFileSync('truth', `share ${(saving / wall).toFixed(3)}\nwords ${letter.length}\n`);
