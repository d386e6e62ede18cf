// A drawing program keeps a copy of the whole drawing for each step that may be undone, made by structuredClone.
'use strict';
const fs = require('fs');

const drawing = { name: 'garden', layers: [] };
for (let layer = 0; layer < 8; layer++) {
  const shapes = [];
  for (let n = 0; n < 400; n++) {
    shapes.push({ kind: n % 3 ? 'line' : 'circle', points: [[n, layer], [n + 5, layer * 2], [n + 9, 7]],
      style: { colour: `#${(n * 4099 % 4096).toString(16)}`, width: n % 4 + 1 } });
  }
  drawing.layers.push({ name: `layer ${layer}`, visible: true, shapes });
}
const history = [];
let cloning = 0;

function rememberStep() {
  const before = process.hrtime.bigint();
  history.push(structuredClone(drawing));
  cloning += Number(process.hrtime.bigint() - before) / 1e9;
  if (history.length > 50) history.shift();
}

function moveShape(step) {
  const layer = drawing.layers[step % drawing.layers.length];
  const shape = layer.shapes[step * 31 % layer.shapes.length];
  for (const point of shape.points) {
    point[0] += 1;
    point[1] -= 1;
  }
}

function mouseMoved(step) {
  rememberStep();
  moveShape(step);
}

const start = Date.now();
let steps = 0;
while (Date.now() - start < 2000) mouseMoved(steps++);
const wall = (Date.now() - start) / 1000;
fs.writeFileSync('truth', `cloning ${(cloning / wall).toFixed(3)}\nsteps ${steps}\nms_per_step ${(1000 * wall / steps).toFixed(2)}\n`);
