// A web server packs its brochure for each visitor anew, by a synchronous call, and so keeps all other visitors waiting.
// The visitors are in the same program and count how long they wait.
'use strict';
const fs = require('fs');
const http = require('http');
const zlib = require('zlib');

const paragraphs = [];
for (let n = 0; n < 9000; n++) {
  paragraphs.push(`<p id="p${n}">Room ${n % 400} has ${n % 5 + 1} windows and a view of ${['the lake', 'the hill', 'a yard'][n % 3]}` +
    ` for ${60 + n * 37 % 90} a night, code ${(n * 2654435761 >>> 0).toString(36)}.</p>`);
}
const brochure = Buffer.from(paragraphs.join('\n'));
let packing = 0;

function packBrochure() {
  const before = process.hrtime.bigint();
  const packed = zlib.gzipSync(brochure, { level: 9 });
  packing += Number(process.hrtime.bigint() - before) / 1e9;
  return packed;
}

const server = http.createServer((request, reply) => {
  if (request.url === '/brochure') {
    reply.setHeader('Content-Encoding', 'gzip');
    reply.end(packBrochure());
  } else {
    reply.end('open from 9 to 6\n');
  }
});

const agent = new http.Agent({ keepAlive: true });

function visit(port, path) {
  return new Promise((resolve, reject) => {
    http.get({ port, host: '127.0.0.1', path, agent }, (reply) => {
      reply.resume();
      reply.on('end', resolve);
    }).on('error', reject);
  });
}

async function visitor(port, path, until) {
  let visits = 0;
  let longest = 0;
  while (Date.now() < until) {
    const before = Date.now();
    await visit(port, path);
    longest = Math.max(longest, Date.now() - before);
    visits++;
  }
  return { visits, longest };
}

server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const start = Date.now();
  const [first, second, hours] = await Promise.all(
    ['/brochure', '/brochure', '/hours'].map((path) => visitor(port, path, start + 2000)));
  const wall = (Date.now() - start) / 1000;
  fs.writeFileSync('truth', `packing ${(packing / wall).toFixed(3)}\nbrochures ${first.visits + second.visits}\n` +
    `hours_asked ${hours.visits}\nlongest_wait_for_hours_ms ${hours.longest}\n`);
  agent.destroy();
  server.close();
});
