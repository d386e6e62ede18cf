// A server whose heartbeat should come every 20 ms; a synchronous hash of each password blocks it.
const crypto = require('crypto');
const fs = require('fs');

const start = Date.now();
let beats = 0, latest = 0, last = start, logins = 0;

function hashPassword(password) {
    return crypto.pbkdf2Sync(password, 'salt', 60000, 64, 'sha512');
}

const heartbeat = setInterval(() => {
    beats++;
    latest = Math.max(latest, Date.now() - last - 20);
    last = Date.now();
}, 20);

function logIn() {
    hashPassword(`secret ${logins++}`);
    if (Date.now() - start < 2000) return setImmediate(logIn);
    clearInterval(heartbeat);
    fs.writeFileSync('truth', `beats ${beats}\nlogins ${logins}\nlatest_ms ${latest}\n`);
}

logIn();
