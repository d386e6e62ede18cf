// Checks passport photos: a worker looks at the brightness of each.
const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads');
const fs = require('node:fs');

function brightness(photo) {
    let sum = 0;
    for (const dot of photo) sum += dot;
    return sum / photo.length;
}

function check(photo) {
    return new Promise((resolve, reject) => {
        const worker = new Worker(__filename, { workerData: photo });
        let answer;
        worker.once('message', (message) => { answer = message; });
        worker.once('error', reject);
        worker.once('exit', () => resolve(answer));
    });
}

async function checkAll() {
    const start = performance.now();
    let photos = 0, bright = 0;
    while (performance.now() < start + 2200) {
        const photo = new Uint8Array(4000).map((_, n) => (n * 31 + photos * 7) % 256);
        if (await check(photo) > 127) bright++;
        photos++;
    }
    const wall = performance.now() - start;
    const before = performance.now();
    for (let n = 0; n < photos; n++) brightness(new Uint8Array(4000));
    const work = performance.now() - before;
    fs.writeFileSync('truth', `work ${(work / wall).toFixed(4)}\nphotos ${photos}\nbright ${bright}\n`);
}

if (isMainThread) checkAll();
else parentPort.postMessage(brightness(workerData));
