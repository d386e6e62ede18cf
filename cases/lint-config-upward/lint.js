// Checks the line lengths of a project's sources, each time one of them has been changed.
'use strict';
const fs = require('fs');
const path = require('path');

const CONFIG_NAMES = ['.lintrc', '.lintrc.json', '.lintrc.yaml', '.lintrc.yml', '.lintrc.js', 'lint.config.js'];
const sources = new Map();
let searching = 0;

function writeProject(folder, depth) {
  fs.mkdirSync(folder, { recursive: true });
  for (let n = 0; n < 5; n++) {
    sources.set(path.join(folder, `module-${n}.ts`), `export const value${n} = ${n};\n`.repeat(20));
  }
  if (depth > 0) ['widgets', 'services'].forEach((name) => writeProject(path.join(folder, name), depth - 1));
}

function configFor(file) {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    for (const name of CONFIG_NAMES) {
      const config = path.join(folder, name);
      if (fs.existsSync(config)) return config;
    }
    if (folder === path.dirname(folder)) return null;
  }
}

function lintFile(file, text) {
  const before = performance.now();
  const config = configFor(file);
  searching += performance.now() - before;
  const limit = config === null ? 100 : 80;
  return text.split('\n').filter((line) => line.length > limit).length;
}

writeProject(path.resolve('frontend/src/app/features'), 6);
const start = performance.now();
let files = 0;
let warnings = 0;
while (performance.now() - start < 1900) {
  for (const [file, text] of sources) warnings += lintFile(file, text);
  files += sources.size;
}
fs.writeFileSync('truth', `searching ${(searching / (performance.now() - start)).toFixed(3)}\n` +
  `files ${files}\nwarnings ${warnings}\n`);
