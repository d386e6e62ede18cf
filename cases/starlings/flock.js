'use strict';
// Simulates a flock of starlings over a town, frame by frame, and keeps the way of its centre.
const { performance } = require('perf_hooks');
const fs = require('fs');

const NEAR = 12;

class Bird {
  constructor(random) {
    this.x = random() * 600;
    this.y = random() * 400;
    this.vx = random() * 2 - 1;
    this.vy = random() * 2 - 1;
  }
}

function generator(seed) {
  let s = seed;
  return () => {
    s = (Math.imul(s, 1664525) + 1013904223) >>> 0;
    return s / 4294967296;
  };
}

function neighbours(bird, flock) {
  return flock.filter((other) => other !== bird && Math.hypot(other.x - bird.x, other.y - bird.y) < NEAR);
}

function steer(bird, near) {
  if (near.length === 0) return;
  let [x, y, vx, vy] = [0, 0, 0, 0];
  for (const n of near) {
    x += n.x;
    y += n.y;
    vx += n.vx;
    vy += n.vy;
  }
  bird.vx += ((x / near.length - bird.x) * 0.01 + vx / near.length - bird.vx) * 0.05;
  bird.vy += ((y / near.length - bird.y) * 0.01 + vy / near.length - bird.vy) * 0.05;
}

function move(bird) {
  bird.x = (bird.x + bird.vx + 600) % 600;
  bird.y = (bird.y + bird.vy + 400) % 400;
}

function step(flock) {
  for (const bird of flock) steer(bird, neighbours(bird, flock));
  flock.forEach(move);
}

function centre(flock) {
  const sum = flock.reduce((a, b) => ({ x: a.x + b.x, y: a.y + b.y }), { x: 0, y: 0 });
  return [sum.x / flock.length, sum.y / flock.length].map((v) => Math.round(v * 100) / 100);
}

const random = generator(42);
const flock = Array.from({ length: 1200 }, () => new Bird(random));
const way = [];
const start = performance.now();
while (performance.now() - start < 2000) {
  step(flock);
  way.push(centre(flock));
}
fs.writeFileSync('way.json', JSON.stringify(way));
console.log(`${way.length} frames of ${flock.length} birds`);
