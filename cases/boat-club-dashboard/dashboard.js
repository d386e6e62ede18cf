'use strict';
// Puts together the dashboard of a boat club from three services, with a limit for the time of each.
const http = require('http');

const agent = new http.Agent({ keepAlive: true });
const SERVICES = { wind: 18471, level: 18472, gates: 18473 };
const LIMIT = 450;

function fetchJson(port, path) {
  return new Promise((resolve, reject) => {
    const request = http.get({ host: '127.0.0.1', port, path, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part) => { text += part; });
      response.on('end', () => resolve(JSON.parse(text)));
    });
    request.on('error', reject);
  });
}

function within(ms, promise, fallback) {
  let timer;
  const late = new Promise((resolve) => { timer = setTimeout(resolve, ms, fallback); });
  return Promise.race([promise.catch(() => fallback), late]).finally(() => clearTimeout(timer));
}

async function tile(name) {
  const answer = await within(LIMIT, fetchJson(SERVICES[name], `/${name}`), null);
  return `<div class="${name}">${answer ? answer.value : 'unknown'}</div>`;
}

async function dashboard() {
  const tiles = await Promise.all(Object.keys(SERVICES).map(tile));
  return `<main>${tiles.join('')}</main>`;
}

async function main() {
  for (let visitor = 0; visitor < 4; visitor++) console.log(await dashboard());
  process.exit(0);
}

main();
