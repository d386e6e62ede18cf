// A whiteboard server that saves the whole board as JSON every now and then; meanwhile nobody can draw.
'use strict';
const fs = require('fs');

const board = { strokes: [] };

function addStroke() {
  const n = board.strokes.length;
  board.strokes.push({ id: n, by: `user-${n % 17}`, color: '#336699', points: [[n, 1], [n % 640, 2.5], [3, n % 480]] });
}

function saveBoard() {
  fs.writeFileSync('board.json', JSON.stringify(board));
}

function timed(what) {
  const before = performance.now();
  what();
  return performance.now() - before;
}

// As many strokes as it takes until saving needs a tenth of a second.
while (timed(saveBoard) < 100) for (let n = 0; n < 5000; n++) addStroke();

const start = performance.now();
let saving = 0, saves = 0, beats = 0, latest = 0, last = start;

setInterval(() => {
  const now = performance.now();
  latest = Math.max(latest, now - last - 10);
  last = now;
  beats++;
  addStroke();
}, 10);

function autosave() {
  saving += timed(saveBoard);
  saves++;
  if (performance.now() - start < 2000) return setTimeout(autosave, 25);
  const took = performance.now() - start;
  fs.writeFileSync('truth', `saving ${(saving / took).toFixed(3)}\nsaves ${saves}\nheartbeats ${beats}\n` +
    `latest_ms ${latest.toFixed(0)}\nmegabytes ${(fs.statSync('board.json').size / 1e6).toFixed(1)}\n`);
  process.exit();
}
setTimeout(autosave, 25);
