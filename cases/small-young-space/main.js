// A session cache in a process whose young generation may have 1 MB only ("to save memory"): what is allocated has no
// time to die there, is moved to the old generation, and must be collected from there.
'use strict';
const fs = require('fs');
const { PerformanceObserver } = require('perf_hooks');

let collecting = 0, collections = 0;
const observer = new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) { collecting += entry.duration; collections++; }
});
observer.observe({ entryTypes: ['gc'] });

const sessions = new Map();
const start = performance.now();
let requests = 0;

function handleRequest() {
  const id = requests++ % 60000;
  sessions.set(id, { user: `user-${id}`, seen: [requests, id, { page: `page-${requests}`, from: [id, requests] }] });
}

function work() {
  const until = performance.now() + 50;
  while (performance.now() < until) for (let n = 0; n < 200; n++) handleRequest();
  if (performance.now() - start < 2000) return setImmediate(work);
  setTimeout(() => {
    fs.writeFileSync('truth', `gc ${(collecting / (performance.now() - start)).toFixed(3)}\n` +
      `collections ${collections}\nrequests ${requests}\nheap_mb ${process.memoryUsage().heapUsed >> 20}\n`);
  }, 10);
}
work();
