'use strict';
// Weaves the preview of a tapestry: as many workers as the machine has CPUs, each with a strip of its own.
const { Worker, isMainThread, parentPort } = require('worker_threads');
const os = require('os');

function thread(x, y, pattern) {
  let v = 0;
  for (let k = 1; k <= 12; k++) v += Math.sin((x * k + pattern) * 0.013) * Math.cos((y * k - pattern) * 0.017) / k;
  return Math.floor((v + 3) * 42) & 255;
}

function weaveStrip({ strip, width, height, pattern }) {
  const out = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) out[y * width + x] = thread(x + strip * width, y, pattern);
  }
  return out;
}

function work() {
  parentPort.on('message', (job) => {
    if (!job) process.exit(0);
    const strip = weaveStrip(job);
    parentPort.postMessage({ strip: job.strip, cloth: strip }, [strip.buffer]);
  });
}

class Loom {
  constructor(count) {
    this.workers = Array.from({ length: count }, () => new Worker(__filename));
  }

  weave(pattern) {
    return Promise.all(this.workers.map((w, strip) => new Promise((resolve) => {
      w.once('message', (m) => resolve(m.cloth));
      w.postMessage({ strip, width: 120, height: 240, pattern });
    })));
  }

  stop() {
    for (const w of this.workers) w.postMessage(null);
  }
}

async function main() {
  const loom = new Loom(os.cpus().length);
  const start = Date.now();
  let patterns = 0;
  let wool = 0;
  while (Date.now() - start < 2000) {
    const strips = await loom.weave(patterns++);
    for (const s of strips) for (let i = 0; i < s.length; i += 7) wool += s[i];
  }
  loom.stop();
  console.log(`${patterns} patterns on ${loom.workers.length} looms, ${wool} of wool`);
}

if (isMainThread) main();
else work();
