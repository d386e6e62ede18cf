// Packs the parts of a release by gzip, with as many children at a time as there are CPUs.
'use strict';
const fs = require('fs');
const os = require('os');
const { spawn } = require('child_process');

function makeParts(number) {
    const parts = [];
    for (let part = 0; part < number; part++) {
        const lines = [];
        for (let n = 0; n < 60000; n++) lines.push(`${part} ${(n * 7919 + part) % 104729} ${n % 977 * part} ${(n * n) % 3571}`);
        fs.writeFileSync(`part-${part}.txt`, lines.join('\n'));
        parts.push(`part-${part}.txt`);
    }
    return parts;
}

function pack(part) {
    return new Promise((resolve, reject) => {
        const child = spawn('gzip', ['-9', '-n', '-k', '-f', part], { stdio: 'ignore' });
        child.on('error', reject);
        child.on('exit', (code) => (code === 0 ? resolve(fs.statSync(`${part}.gz`).size) : reject(new Error(part))));
    });
}

async function packer(queue, sizes) {
    for (let part = queue.shift(); part; part = queue.shift()) {
        sizes.set(part, await pack(part));
    }
}

async function main() {
    const parts = makeParts(10);
    const sizes = new Map();
    const queue = [...parts];
    const start = process.hrtime.bigint();
    await Promise.all(os.cpus().map(() => packer(queue, sizes)));
    const packing = Number(process.hrtime.bigint() - start) / 1e6;
    const list = [...sizes].sort().map(([part, size]) => `${part} ${size}`);
    fs.writeFileSync('release.txt', list.join('\n'));
    fs.writeFileSync('truth', `parts ${sizes.size}\npacking_ms ${packing}\n`);
}

main();
