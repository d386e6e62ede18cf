'use strict';
// Checks the sources of a shop's front end by the rules that apply to their folder.
const fs = require('fs');
const path = require('path');

const SECONDS = 2.0;
const NAMES = ['.rulesrc', '.rulesrc.json', '.rulesrc.js', 'rules.config.js', 'rules.config.cjs', 'package.json'];

function makeShop(root) {
  const files = [];
  for (let a = 0; a < 6; a++) {
    const folder = path.join(root, 'packages', `part${a}`, 'src', 'views', 'desktop', 'dialogs', 'forms', 'fields');
    fs.mkdirSync(folder, { recursive: true });
    for (let n = 0; n < 40; n++) {
      const file = path.join(folder, `field${n}.js`);
      fs.writeFileSync(file, `export const field${n} = { label: 'Field ${n}', width: ${n * 3} };\n`);
      files.push(file);
    }
  }
  fs.writeFileSync(path.join(root, '.rulesrc.json'), '{"longest": 100}');
  return files;
}

function findRules(file) {
  let folder = path.dirname(path.resolve(file));
  for (;;) {
    for (const name of NAMES) {
      const candidate = path.join(folder, name);
      if (fs.existsSync(candidate)) return candidate;
    }
    const parent = path.dirname(folder);
    if (parent === folder) return null;
    folder = parent;
  }
}

const parsed = new Map();
function rulesOf(file) {
  const place = findRules(file);
  if (!parsed.has(place)) parsed.set(place, JSON.parse(fs.readFileSync(place, 'utf8')));
  return parsed.get(place);
}

const texts = new Map();
function textOf(file) {
  if (!texts.has(file)) texts.set(file, fs.readFileSync(file, 'utf8'));
  return texts.get(file);
}

function check(file) {
  const { longest } = rulesOf(file);
  return textOf(file).split('\n').filter((line) => line.length > longest).length;
}

function main() {
  const files = makeShop('shop');
  const until = Date.now() + SECONDS * 1000;
  let passes = 0;
  let wrong = 0;
  while (Date.now() < until) {
    for (const file of files) wrong += check(file);
    passes++;
  }
  console.log(`${passes} passes over ${files.length} files, ${wrong} lines too long`);
}

main();
