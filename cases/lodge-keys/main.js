// The key service of a lodge: members sign in with their word, and get the number of their key.
'use strict';
const crypto = require('crypto');
const fs = require('fs');
const http = require('http');

const members = new Map();
for (let n = 0; n < 12; n++) {
  const salt = `salt ${n}`;
  members.set(`member${n}`, { salt, key: 100 + n, hash: crypto.createHash('sha256').update(`${salt}word${n}`).digest('hex') });
}

let checking = 0n;
let served = 0;
const start = process.hrtime.bigint();

function isMember(member, word) {
  const before = process.hrtime.bigint();
  const stretched = crypto.scryptSync(word, member.salt, 32, { N: 16384, r: 8, p: 1 });
  checking += process.hrtime.bigint() - before;
  return stretched.length === 32 && crypto.createHash('sha256').update(member.salt + word).digest('hex') === member.hash;
}

function finish() {
  const all = process.hrtime.bigint() - start;
  fs.writeFileSync('truth', `share ${(Number(checking) / Number(all)).toFixed(3)}\nserved ${served}\n`);
  server.close();
  server.closeAllConnections();
}

const server = http.createServer((request, response) => {
  const url = new URL(request.url, 'http://lodge');
  if (url.pathname === '/end') {
    response.end('bye\n');
    setImmediate(finish);
    return;
  }
  const member = members.get(url.searchParams.get('name'));
  const right = member && isMember(member, url.searchParams.get('word'));
  served++;
  response.writeHead(right ? 200 : 403);
  response.end(right ? `${member.key}\n` : 'no\n');
});

server.listen(0, '127.0.0.1', () => {
  fs.writeFileSync('port.new', String(server.address().port));
  fs.renameSync('port.new', 'port');
});
