// Counts visits in a JSON file: reads it, adds a visit, and writes all of it.
const fs = require("node:fs");

const times = { read: 0, parse: 0, stringify: 0, write: 0 };
const start = performance.now();

function timed(step, body) {
  const before = performance.now();
  const result = body();
  times[step] += performance.now() - before;
  return result;
}

function loadState() {
  const text = timed("read", () => fs.readFileSync("state.json", "utf8"));
  return timed("parse", () => JSON.parse(text));
}

function saveState(state) {
  const text = timed("stringify", () => JSON.stringify(state, null, 2));
  timed("write", () => {
    const file = fs.openSync("state.json", "r+");
    fs.writeSync(file, text, 0);
    fs.closeSync(file);
  });
}

function addVisit(number) {
  const state = loadState();
  state.visits.push({ number, page: `/articles/${number % 50}`, browser: "Firefox", seconds: number % 17 });
  saveState(state);
}

fs.writeFileSync("state.json", '{"visits": []}');
let visits = 0;
let half = 0;
while (performance.now() - start < 2000) {
  addVisit(visits++);
  if (half === 0 && performance.now() - start > 1000) half = visits;
}
const wall = performance.now() - start;
const lines = Object.entries(times).map(([step, time]) => `${step} ${(time / wall).toFixed(3)}`);
fs.writeFileSync("truth", [`visits ${visits}`, `in_first_half ${half}`, ...lines].join("\n") + "\n");
