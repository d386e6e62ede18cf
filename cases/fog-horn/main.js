// Mixes the sound of a fog horn second by second: four voices, each in a new piece of memory.
const fs = require('node:fs');
const PIECE = 24 * 1024 * 1024;

let fresh = 0;

function silence() {
    const before = performance.now();
    const piece = Buffer.alloc(PIECE, 1);
    fresh += performance.now() - before;
    return piece;
}

function mix(second) {
    const voices = [silence(), silence(), silence(), silence()];
    let loud = 0;
    for (const [n, voice] of voices.entries()) {
        for (let at = n; at < 4000; at += 40) voice[at] = second * at & 255;
        loud += voice[4000 - second % 4000];
    }
    return loud;
}

const start = performance.now();
let seconds = 0, loud = 0;
while (performance.now() < start + 2000) loud += mix(seconds++);
const wall = performance.now() - start;
const usage = process.resourceUsage();
fs.writeFileSync('truth', `fresh ${(fresh / wall).toFixed(3)}\nfaults_per_piece ${Math.round(usage.minorPageFault / seconds / 4)}\nsystem ${(usage.systemCPUTime / 1000 / wall).toFixed(3)}\nseconds ${seconds}\nloud ${loud}\n`);
