// Takes jobs from a broker by long polling (one connection that stays open), and sets each sign at once.
import http from 'node:http';
import { createHash } from 'node:crypto';

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

function ask(method, path, body = '') {
  return new Promise((resolve, reject) => {
    const req = http.request({ host: '127.0.0.1', port: 12591, method, path, agent, headers: { 'content-length': Buffer.byteLength(body) } }, (res) => {
      const parts = [];
      res.on('data', (p) => parts.push(p));
      res.on('end', () => resolve(Buffer.concat(parts).toString()));
    });
    req.on('error', reject);
    req.end(body);
  });
}

function setSign({ text, width }) {
  const lines = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line.length + word.length + 1 > width) { lines.push(line); line = ''; }
    line += (line ? ' ' : '') + word;
  }
  lines.push(line);
  return lines.map((l) => l.padStart((width + l.length) / 2 | 0).padEnd(width)).join('\n');
}

let signs = 0;
for (;;) {
  const answer = await ask('GET', '/next?wait=10');
  if (answer === 'closed') break;
  const job = JSON.parse(answer);
  const sign = setSign(job);
  await ask('POST', `/done/${job.id}`, `${createHash('sha256').update(sign).digest('hex')}\n${sign}`);
  signs++;
}
console.log(`${signs} signs`);
agent.destroy();
