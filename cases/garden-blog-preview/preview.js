'use strict';
// Previews a garden blog: renders the pages that are asked for, and renders a post again when its file has changed.
const fs = require('fs');
const path = require('path');

class Watcher {
  constructor(root) {
    this.root = root;
    this.seen = new Map();
    this.changed = [];
    this.spent = 0n;
    this.look(root);
  }

  look(folder) {
    for (const name of fs.readdirSync(folder)) {
      const file = path.join(folder, name);
      const stat = fs.statSync(file);
      if (stat.isDirectory()) {
        this.look(file);
      } else if (this.seen.get(file) !== stat.mtimeMs) {
        this.seen.set(file, stat.mtimeMs);
        this.changed.push(file);
      }
    }
  }

  tick() {
    const start = process.hrtime.bigint();
    this.look(this.root);
    this.spent += process.hrtime.bigint() - start;
  }
}

class Site {
  constructor(root) {
    this.watcher = new Watcher(root);
    this.pages = new Map();
  }

  render(file) {
    const text = fs.readFileSync(file, 'utf8');
    const html = text.split('\n').map((line) => line
      .replace(/^# (.*)$/, '<h1>$1</h1>')
      .replace(/\*(.+?)\*/g, '<b>$1</b>')
      .replace(/_(.+?)_/g, '<i>$1</i>'));
    this.pages.set(file, html.join('\n'));
  }

  refresh() {
    for (const file of this.watcher.changed.splice(0)) this.render(file);
  }
}

function overview(site, section) {
  const titles = [];
  for (const [file, html] of site.pages) {
    if (!file.includes(`/section-${section}/`)) continue;
    const words = html.split(/\s+/).sort();
    titles.push(`${file}: ${words.length} words, ${new Set(words).size} different`);
  }
  return titles.join('\n');
}

function main() {
  const start = process.hrtime.bigint();
  const site = new Site('site');
  let requests = 0;
  let letters = 0;
  while (process.hrtime.bigint() - start < 2000000000n) {
    site.watcher.tick();
    site.refresh();
    for (let n = 0; n < 4; n++) letters += overview(site, requests++ % 60).length;
  }
  const wall = process.hrtime.bigint() - start;
  console.log(`${requests} requests, ${letters} letters`);
  fs.writeFileSync('truth', `share ${(Number(site.watcher.spent) / Number(wall)).toFixed(2)}\n`);
}

main();
