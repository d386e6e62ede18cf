// Writes the pages of a shop, compressed, so that the web server need not do it.
'use strict';
const fs = require('fs');
const zlib = require('zlib');

function renderPage(number) {
  const rows = [];
  for (let i = 0; i < 900; i++) {
    const article = (number * 7919 + i * 104729) % 99991;
    rows.push(`<tr class="${i % 2 ? 'odd' : 'even'}"><td>${article}</td><td>Article ${article % 977}</td><td>${(article * 37) % 10000} Euro</td></tr>`);
  }
  return `<html><body><table>\n${rows.join('\n')}\n</table></body></html>`;
}

function compressPage(page, options) {
  return zlib.brotliCompressSync(page, options);
}

function store(name, content) {
  fs.writeFileSync(name, content);
  return content;
}

function timed(work) {
  const before = process.hrtime.bigint();
  const size = work().length;
  return [Number(process.hrtime.bigint() - before), size];
}

const start = process.hrtime.bigint();
let compressing = 0;
let bytes = 0;
let pages = 0;
while (process.hrtime.bigint() - start < 2000000000n) {
  const page = renderPage(pages);
  const [time, size] = timed(() => store(`page-${pages}.html.br`, compressPage(page)));
  compressing += time;
  bytes += size;
  pages++;
}
const wall = Number(process.hrtime.bigint() - start);
const quick = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } };
let other = 0;
let otherBytes = 0;
for (let number = 0; number < 10; number++) {
  const [time, size] = timed(() => compressPage(renderPage(number), quick));
  other += time;
  otherBytes += size;
}
fs.writeFileSync('truth', `compressing ${(compressing / wall).toFixed(3)}\npages ${pages}\ntimes_slower ${(compressing / pages / (other / 10)).toFixed(1)}\nsize ${(bytes / pages / (otherBytes / 10)).toFixed(2)}\n`);
