// Renders a small page for each request, for 2 s. Connections are kept alive.
'use strict';
const fs = require('fs');
const http = require('http');
const { monitorEventLoopDelay } = require('perf_hooks');

const articles = Array.from({ length: 300 }, (_, n) => ({ name: `Article ${n}`, price: (n * 37) % 500, stock: n % 9 }));
let answers = 0;

function renderPage(number) {
  const rows = articles.filter((article) => article.stock > number % 9);
  const cells = rows.slice(0, 60).map((row) => `<tr><td>${row.name}</td><td>${(row.price / 100).toFixed(2)}</td></tr>`);
  return `<h1>Page ${number}</h1><table>${cells.join('')}</table>`;
}

const server = http.createServer((request, response) => {
  const page = renderPage(Number(request.url.slice(6)) || 0);
  response.setHeader('Content-Length', Buffer.byteLength(page));
  response.end(page);
  answers++;
});
server.keepAliveTimeout = 30000;
server.listen(0, '127.0.0.1', () => {
  fs.writeFileSync('port.new', String(server.address().port));
  fs.renameSync('port.new', 'port');
});

const delay = monitorEventLoopDelay({ resolution: 20 });
delay.enable();
setTimeout(() => {
  const used = process.cpuUsage();
  fs.writeFileSync('truth', `answers ${answers}\ncpu ${(used.user + used.system) / 1e6}\n` +
    `latest_ms ${(delay.percentile(99) / 1e6 - 20).toFixed(1)}\n`);
  process.exit(0);
}, 2000);
