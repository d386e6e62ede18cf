// Prints a booklet of tides; a child computes the pages, and the booklet waits for them.
const { spawn } = require('node:child_process');
const readline = require('node:readline');
const fs = require('node:fs');

async function printBooklet() {
    const child = spawn(process.argv[2], [`${__dirname}/tides.py`, '45']);
    const start = performance.now();
    const lines = [];
    for await (const page of readline.createInterface({ input: child.stdout })) {
        const [harbour, high] = page.split(';');
        lines.push(`<p>${harbour}: high water at ${Number(high) / 60 | 0}:${String(high % 60).padStart(2, '0')}</p>`);
    }
    fs.writeFileSync('booklet.html', lines.join('\n'));
    const used = process.cpuUsage();
    const wall = performance.now() - start;
    fs.writeFileSync('truth', `cpu ${((used.user + used.system) / 1000 / wall).toFixed(3)}\npages ${lines.length}\n`);
}

printBooklet();
