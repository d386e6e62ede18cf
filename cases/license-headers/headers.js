// Puts a header with the version before each file of a site.
'use strict';
const fs = require('fs');
const { execSync } = require('child_process');

let asking = 0;

function currentCommit() {
  const before = process.hrtime.bigint();
  const commit = execSync('git rev-parse --short HEAD', { cwd: 'site' }).toString().trim();
  asking += Number(process.hrtime.bigint() - before);
  return commit;
}

function headerOf(name) {
  return `/* ${name}, version ${currentCommit()} */\n`;
}

fs.mkdirSync('release', { recursive: true });
const names = fs.readdirSync('site/src');
const start = process.hrtime.bigint();
let files = 0;
while (process.hrtime.bigint() - start < 2000000000n) {
  const name = names[files++ % names.length];
  fs.writeFileSync(`release/${name}`, headerOf(name) + fs.readFileSync(`site/src/${name}`, 'utf8'));
}
const wall = Number(process.hrtime.bigint() - start);
fs.writeFileSync('truth', `share ${(asking / wall).toFixed(3)}\nfiles ${files}\n`);
