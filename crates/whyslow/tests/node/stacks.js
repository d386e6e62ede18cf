// Says where it is each time it waits or computes: kind, then function:file:line of each frame, the
// innermost first. The line is the one that the function begins in, marked with its name.
'use strict';
const fs = require('fs');

const lines = new Map();
fs.readFileSync(__filename, 'utf8').split('\n').forEach((text, at) => {
  const mark = text.match(/\/\/ @(\S+)$/);
  if (mark) lines.set(mark[1], at + 1);
});

const said = new Set();
const cell = new Int32Array(new SharedArrayBuffer(4));
let sink = 0;
Error.stackTraceLimit = 200;
Error.prepareStackTrace = (_, frames) => frames;

function say(kind) {
  const frames = new Error().stack.slice(1).filter((frame) => frame.getFileName() === __filename);
  const names = frames.map((frame) => frame.getFunctionName()).filter((name) => lines.has(name));
  const text = names.map((name) => `${name}:${__filename}:${lines.get(name)}`).join('\t');
  if (!said.has(kind + text)) {
    said.add(kind + text);
    console.log(`${kind} ${text}`);
  }
}

function pause() { // @pause
  say('wait');
  Atomics.wait(cell, 0, 0, 4);
}

function spin() { // @spin
  say('cpu');
  for (const end = Date.now() + 6; Date.now() < end;) {
    for (let i = 0; i < 5000; i++) sink = (sink * 31 + i) | 0;
  }
}

function both() { // @both
  pause();
  spin();
}

function recursion(depth) { // @recursion
  if (depth > 0) return recursion(depth - 1) + 1;
  both();
  return 0;
}

class Circle {
  constructor() { // @Circle
    this.draw();
  }

  draw() { // @draw
    both();
  }

  static make() { // @make
    return new Circle();
  }
}

const arrow = () => { // @arrow
  both();
};

function callback() { // @callback
  both();
}

function throughLibrary() { // @throughLibrary
  [1].forEach(callback);
  [2, 1].sort(function compare(a, b) { // @compare
    both();
    return a - b;
  });
  'x'.replace(/x/, function replaced() { // @replaced
    both();
    return 'y';
  });
}

function* generator() { // @generator
  both();
  yield 1;
  both();
}

function resumes() { // @resumes
  for (const _ of generator()) arrow();
}

async function later() { // @later
  await null;
  both();
}

async function run(rounds) {
  for (let round = 0; round < rounds; round++) {
    recursion(0);
    recursion(20);
    Circle.make();
    arrow();
    throughLibrary();
    resumes();
    await later();
  }
}

run(Number(process.argv[2]));
