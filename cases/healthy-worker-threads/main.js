// A web server's start-up that packs its files: the hard work is done by two worker threads, the event loop stays free.
'use strict';
const { Worker, isMainThread, parentPort } = require('worker_threads');
const fs = require('fs');
const zlib = require('zlib');

const text = Buffer.from(Array.from({ length: 40000 }, (_, n) => `line ${n * 7919 % 10007} of the file`).join('\n'));

function packFile(number) {
  text.writeUInt32LE(number, 0);
  return zlib.gzipSync(text, { level: 6 }).length;
}

if (!isMainThread) {
  parentPort.on('message', (number) => parentPort.postMessage(packFile(number)));
} else {
  const start = performance.now();
  let packed = 0, bytes = 0, beats = 0, latest = 0, last = start, running = 2;
  const heart = setInterval(() => {
    latest = Math.max(latest, performance.now() - last - 20);
    last = performance.now();
    beats++;
  }, 20);
  for (let n = 0; n < 2; n++) {
    const worker = new Worker(__filename);
    // Two files are under way for each worker, so that it never waits for the next.
    for (let ahead = 0; ahead < 2; ahead++) worker.postMessage(n + ahead);
    worker.on('message', (size) => {
      bytes += size;
      packed++;
      if (performance.now() - start < 2000) return worker.postMessage(packed);
      worker.terminate();
    });
    worker.on('exit', () => {
      if (--running > 0) return;
      clearInterval(heart);
      const cpu = process.cpuUsage();
      fs.writeFileSync('truth', `packed ${packed}\nheartbeats ${beats}\nlatest_ms ${latest.toFixed(1)}\n` +
        `cpus ${((cpu.user + cpu.system) / 1e3 / (performance.now() - start)).toFixed(2)}\nbytes ${bytes}\n`);
    });
  }
}
