// A log-in service: up to eight log-ins are checked at a time, each by an asynchronous password hash.
// Somebody set UV_THREADPOOL_SIZE=1 "to save memory", so one thread computes all hashes.
'use strict';
const crypto = require('crypto');
const fs = require('fs');
const { promisify } = require('util');
const pbkdf2 = promisify(crypto.pbkdf2);

const users = new Map();
for (let n = 0; n < 200; n++) users.set(`user-${n}`, { salt: `salt-${n}`, hash: null });

async function checkPassword(name, password) {
  const user = users.get(name);
  const hash = await pbkdf2(password, user.salt, 20000, 32, 'sha256');
  if (user.hash === null) user.hash = hash;
  return user.hash.equals(hash);
}

async function visitor(until, counts) {
  while (Date.now() < until) {
    const name = `user-${Math.floor(Math.random() * users.size)}`;
    if (await checkPassword(name, `secret of ${name}`)) counts.good++;
    else counts.bad++;
  }
}

async function main() {
  const start = Date.now();
  const counts = { good: 0, bad: 0 };
  await Promise.all(Array.from({ length: 8 }, () => visitor(start + 2200, counts)));
  const took = (Date.now() - start) / 1000;
  const used = process.cpuUsage();
  fs.writeFileSync('truth', `cpus ${((used.user + used.system) / 1e6 / took).toFixed(2)}\n` +
    `logins ${counts.good}\nbad ${counts.bad}\n`);
}
main();
