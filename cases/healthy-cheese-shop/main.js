'use strict';
// A cheese shop's web server and two buyers who ask for boards of cheese without a pause, in one program.
const http = require('http');

const SECONDS = 2.0;
const CHEESES = Array.from({ length: 60 }, (_, n) => ({ name: `cheese ${n}`, fat: 20 + (n * 7) % 40, salt: n % 9, price: 3 + (n * 13) % 17 }));

function distance(one, other) {
  return Math.abs(one.fat - other.fat) + 2 * Math.abs(one.salt - other.salt);
}

function board(budget) {
  const chosen = [CHEESES[budget % CHEESES.length]];
  let left = budget;
  while (left > 0 && chosen.length < 12) {
    let best = null;
    let far = -1;
    for (const cheese of CHEESES) {
      const nearest = Math.min(...chosen.map((one) => distance(one, cheese)));
      if (cheese.price <= left && nearest > far) {
        far = nearest;
        best = cheese;
      }
    }
    if (best === null) break;
    chosen.push(best);
    left -= best.price;
  }
  return chosen;
}

function page(budget) {
  return `<ul>${board(budget).map((cheese) => `<li>${cheese.name} ${cheese.price}</li>`).join('')}</ul>`;
}

function ask(agent, port, budget) {
  return new Promise((resolve, reject) => {
    http.get({ host: '127.0.0.1', port, path: `/${budget}`, agent }, (response) => {
      let size = 0;
      response.on('data', (part) => { size += part.length; });
      response.on('end', () => resolve(size));
    }).on('error', reject);
  });
}

async function buyer(port, first, until) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  let boards = 0;
  for (let budget = first; Date.now() < until; budget++) {
    await ask(agent, port, 40 + (budget % 90));
    boards++;
  }
  agent.destroy();
  return boards;
}

const server = http.createServer((request, response) => response.end(page(Number(request.url.slice(1)))));
server.listen(0, '127.0.0.1', async () => {
  const until = Date.now() + SECONDS * 1000;
  const { port } = server.address();
  const boards = await Promise.all([buyer(port, 0, until), buyer(port, 45, until)]);
  console.log('boards:', boards.join(' '));
  server.close();
});
