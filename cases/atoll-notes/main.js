// The drawing table of an atlas: each stroke can be taken back, so the chart before it is remembered.
'use strict';
const fs = require('fs');

function emptyChart(reefs) {
  const chart = { title: 'Northern atolls', reefs: [] };
  for (let n = 0; n < reefs; n++) {
    chart.reefs.push({ name: `reef ${n}`, depth: n % 30 + 0.5, buoys: [n % 5, n % 7], shore: [[n, n * 2], [n + 3, n * 2 + 1], [n + 5, n]] });
  }
  return chart;
}

class Table {
  constructor(chart) {
    this.chart = chart;
    this.undo = [];
    this.remembering = 0;
  }

  remember() {
    const before = performance.now();
    this.undo.push(JSON.stringify(this.chart));
    if (this.undo.length > 30) this.undo.shift();
    this.remembering += performance.now() - before;
  }

  takeBack() {
    const before = performance.now();
    this.chart = JSON.parse(this.undo.pop());
    this.remembering += performance.now() - before;
  }

  stroke(reef, x, y) {
    this.remember();
    const shore = this.chart.reefs[reef].shore;
    shore.push([x, y]);
    if (shore.length > 12) shore.shift();
  }
}

const start = performance.now();
const table = new Table(emptyChart(2500));
let strokes = 0;
while (performance.now() - start < 2000) {
  table.stroke(strokes * 7919 % 2500, strokes % 640, strokes % 480);
  strokes++;
  if (strokes % 4 === 0) table.takeBack();
}
const share = table.remembering / (performance.now() - start);
fs.writeFileSync('truth', `json_share ${share.toFixed(3)}\nstrokes ${strokes}\n`);
