// Audits the passwords of an office against a short list of bad ones, on all threads of Node's pool.
'use strict';
const crypto = require('node:crypto');
const fs = require('node:fs');
const { promisify } = require('node:util');

const derive = promisify(crypto.pbkdf2);
const bad = ['123456', 'password', 'qwerty', 'office', 'summer', 'letmein'];

async function auditUser(user) {
  const salt = `salt-${user}`;
  const keys = await Promise.all(bad.map((word) => derive(word, salt, 20_000, 32, 'sha256')));
  return keys.some((key) => key[0] === 7 && key[1] === 7);
}

async function audit(until) {
  let users = 0;
  let weak = 0;
  const clerk = async () => {
    while (process.hrtime.bigint() < until) weak += (await auditUser(users++)) ? 1 : 0;
  };
  await Promise.all([clerk(), clerk()]);
  return { users, weak };
}

const start = process.hrtime.bigint();
audit(start + 1_900_000_000n).then(({ users, weak }) => {
  const { user, system } = process.cpuUsage();
  const cpus = (user + system) * 1000 / Number(process.hrtime.bigint() - start);
  fs.writeFileSync('truth', `cpus_used ${cpus.toFixed(2)}\nusers ${users}\nweak ${weak}\n`);
});
