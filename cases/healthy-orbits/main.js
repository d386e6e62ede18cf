// Computes the orbits of planets in small steps. In the first moments the compiler is at work; from then on it is steady
// computation with hardly any garbage.
'use strict';
const fs = require('fs');

const bodies = [[0, 0, 0, 0, 1000]];
for (let n = 1; n <= 7; n++) {
  const radius = 10 + 7 * n;
  bodies.push([radius * Math.cos(n), radius * Math.sin(n), -Math.sin(n) * Math.sqrt(1000 / radius),
    Math.cos(n) * Math.sqrt(1000 / radius), 0.1 * n]);
}
const count = bodies.length;
const x = Float64Array.from(bodies, (body) => body[0]);
const y = Float64Array.from(bodies, (body) => body[1]);
const vx = Float64Array.from(bodies, (body) => body[2]);
const vy = Float64Array.from(bodies, (body) => body[3]);
const mass = Float64Array.from(bodies, (body) => body[4]);

function attract(step) {
  for (let one = 0; one < count; one++) {
    for (let other = one + 1; other < count; other++) {
      const dx = x[other] - x[one];
      const dy = y[other] - y[one];
      const square = dx * dx + dy * dy + 0.01;
      const pull = step / (square * Math.sqrt(square));
      vx[one] += dx * mass[other] * pull;
      vy[one] += dy * mass[other] * pull;
      vx[other] -= dx * mass[one] * pull;
      vy[other] -= dy * mass[one] * pull;
    }
  }
}

function move(step) {
  for (let n = 0; n < count; n++) {
    x[n] += step * vx[n];
    y[n] += step * vy[n];
  }
}

function advance(steps) {
  for (let n = 0; n < steps; n++) {
    attract(0.001);
    move(0.001);
  }
}

const start = process.hrtime.bigint();
const since = () => Number(process.hrtime.bigint() - start) / 1e9;
const perTenth = [];
while (since() < 2) {
  const end = since() + 0.1;
  let steps = 0;
  while (since() < end) {
    advance(500);
    steps += 500;
  }
  perTenth.push(steps);
}
perTenth.sort((a, b) => a - b);
fs.writeFileSync('truth', `steps ${perTenth.reduce((sum, steps) => sum + steps, 0)}\n` +
  `median_per_tenth ${perTenth[perTenth.length >> 1]}\nleast_per_tenth ${perTenth[0]}\n` +
  `cpus ${(process.cpuUsage().user / 1e6 / since()).toFixed(2)}\nfar ${Math.hypot(x[7], y[7]).toFixed(1)}\n`);
