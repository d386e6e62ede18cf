'use strict';
// The box office: confirms a seat after asking its printer, which takes 30 ms; any number at once.
const http = require('http');
const fs = require('fs');
http.createServer((request, response) => {
  setTimeout(() => response.end(JSON.stringify({ ok: true, seat: request.url.slice(1) })), 30);
}).listen(18481, '127.0.0.1', () => fs.writeFileSync('ready', ''));
