'use strict';
// Opens the valves of a garden at the times of its plan (seconds after the start, from the arguments).

const plan = process.argv.slice(2).map((entry) => {
  const [valve, at] = entry.split('@');
  return { valve, at: Number(at) * 1000 };
});
const started = Date.now();

function open(job) {
  let liters = 0;
  for (let i = 0; i < 200000; i++) liters += (i * job.valve.length) % 7;
  console.log(`${job.valve}: ${liters} dl at ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

function schedule(jobs) {
  const next = jobs.shift();
  if (!next) return;
  setTimeout(() => {
    open(next);
    schedule(jobs);
  }, Math.max(0, started + next.at - Date.now()));
}

schedule(plan.sort((a, b) => a.at - b.at));
