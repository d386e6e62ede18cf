// Makes a report from a store that is just being restarted: the first two attempts are refused.
'use strict';
const fs = require('fs');
const http = require('http');
const crypto = require('crypto');
const { setTimeout: pause } = require('timers/promises');

const agent = new http.Agent({ keepAlive: true, maxSockets: 2 });
const counts = { refused: 0, requests: 0, waiting: 0 };

function ask(path) {
    return new Promise((resolve, reject) => {
        const port = Number(fs.readFileSync('ready', 'utf8'));
        http.get({ host: '127.0.0.1', port, path, agent }, (reply) => {
            const parts = [];
            reply.on('data', (part) => parts.push(part));
            reply.on('end', () => resolve(JSON.parse(Buffer.concat(parts))));
        }).on('error', reject);
    });
}

async function askPatiently(path) {
    for (let attempt = 0; ; attempt++) {
        try {
            counts.requests++;
            return await ask(path);
        } catch (error) {
            if (error.code !== 'ECONNREFUSED' || attempt === 6) throw error;
            counts.refused++;
            await pause(15 * 2 ** attempt);
        }
    }
}

function evaluate(rows) {
    const classes = new Map();
    for (let round = 0; round < 1400; round++) {
        for (const row of rows) {
            const key = row.name.length * 31 + (row.value * round) % 97;
            classes.set(key, (classes.get(key) ?? 0) + row.value);
        }
    }
    return [...classes].sort((a, b) => b[1] - a[1]).slice(0, 20);
}

async function main() {
    fs.writeFileSync('report-started', '');
    const start = process.hrtime.bigint();
    const hash = crypto.createHash('sha256');
    let pages = 0;
    while (process.hrtime.bigint() - start < 1_800_000_000n) {
        const before = process.hrtime.bigint();
        const rows = await askPatiently(`/rows/${pages}`);
        counts.waiting += Number(process.hrtime.bigint() - before);
        hash.update(JSON.stringify(evaluate(rows)));
        pages++;
    }
    const wall = Number(process.hrtime.bigint() - start);
    agent.destroy();
    fs.writeFileSync('truth', `pages ${pages}\nrefused ${counts.refused}\nwaiting ${counts.waiting / wall}\n`
        + `cpu ${process.cpuUsage().user * 1000 / wall}\nsum ${hash.digest('hex').slice(0, 8)}\n`);
}

main();
