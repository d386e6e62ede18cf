// A print server works off what came in at night.
'use strict';
const fs = require('fs');

const queue = [];
for (let number = 0; number < 200000; number++) {
  queue.push({ number, pages: 1 + (number % 12), printer: number % 5 });
}
const copy = queue.slice();
const printed = [0, 0, 0, 0, 0];

function nextJob() {
  return queue.shift();
}

function printJobs(until) {
  let jobs = 0;
  while (process.hrtime.bigint() < until && queue.length > 100000) {
    const job = nextJob();
    printed[job.printer] += job.pages;
    queue.push(job);
    jobs++;
  }
  return jobs;
}

const start = process.hrtime.bigint();
const jobs = printJobs(start + 2000000000n);
const wall = Number(process.hrtime.bigint() - start);
const before = process.hrtime.bigint();
for (let next = 0; next < copy.length; next++) {
  printed[copy[next].printer] += copy[next].pages;
}
const other = Number(process.hrtime.bigint() - before) / copy.length;
fs.writeFileSync('truth', `us_per_job ${(wall / jobs / 1e3).toFixed(1)}\njobs ${jobs}\ntimes_slower ${(wall / jobs / other).toFixed(0)}\n`);
