// A small web server of a surveyor's office: it draws plans for visitors and tells them how it is.
'use strict';
const fs = require('fs');
const http = require('http');
const { execFileSync } = require('child_process');

const plotter = `${process.env.CASE}/plotter.sh`;
let drawing = 0n;

// The plotter's driver is a program of its own, which waits for the device.
function drawPlan(parcel) {
  const before = process.hrtime.bigint();
  const plan = execFileSync('sh', [plotter, parcel], { encoding: 'utf8' });
  drawing += process.hrtime.bigint() - before;
  return plan;
}

const server = http.createServer((request, answer) => {
  if (request.url.startsWith('/plan/')) {
    answer.end(drawPlan(request.url.slice(6)));
  } else {
    answer.end('fine\n');
  }
});

function get(path) {
  return new Promise((resolve, reject) => {
    http.get({ port: server.address().port, path, agent: false }, (reply) => {
      let text = '';
      reply.on('data', (data) => { text += data; });
      reply.on('end', () => resolve(text));
    }).on('error', reject);
  });
}

async function main() {
  const start = process.hrtime.bigint();
  let visits = 0;
  while (process.hrtime.bigint() - start < 1800000000n) {
    await Promise.all([get(`/plan/${visits}`), get(`/plan/${visits + 1}`), get('/health'), get('/health')]);
    visits += 4;
  }
  const wall = process.hrtime.bigint() - start;
  server.close();
  fs.writeFileSync('truth', `share ${(Number(drawing) / Number(wall)).toFixed(3)}\nvisits ${visits}\n`);
}

server.listen(0, '127.0.0.1', main);
