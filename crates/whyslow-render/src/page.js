"use strict";
// Draws every operation of each chart; the wheel zooms, dragging moves, a double click shows all again.
// Every point in view is written into the pixels itself, so that no outlier is ever left out.
const filled = (array, value) => {
  for (let i = 0; i < array.length; i++) array[i] = value(i);
  return array;
};
const bytesOf = text => {
  const raw = atob(text);
  return filled(new Uint8Array(raw.length), i => raw.charCodeAt(i));
};
// Whole numbers, seven bits per byte, the low ones first; the high bit says that more follow.
const numbers = text => {
  const bytes = bytesOf(text), found = new Float64Array(bytes.length);
  let count = 0, value = 0, unit = 1;
  for (const byte of bytes) {
    value += (byte & 127) * unit;
    if (byte & 128) { unit *= 128; continue; }
    found[count++] = value;
    value = 0; unit = 1;
  }
  return found.subarray(0, count);
};
const time = ns => {
  for (const [size, unit] of [[1e9, " s"], [1e6, " ms"], [1e3, " µs"]])
    if (ns >= size * 0.9995) return Number((ns / size).toPrecision(3)) + unit;
  return Number(ns.toPrecision(3)) + " ns";
};
const count = n => Number(n.toPrecision(9)).toLocaleString("en");
const INKS = [0xff9c5108, 0xff0055d0, 0xff228b22, 0xff8b1a8b, 0xff1ea0c8, 0xff303030, 0xff5c5ccd, 0xff808000];
const GRID = 0xffe4e4e4, LEFT = 74, BOTTOM = 24, TOP = 8, RIGHT = 12;

// Round numbers between two, about as many as wanted.
const ticks = (low, high, wanted) => {
  const raw = (high - low) / wanted, power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find(f => f * power >= raw), found = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) found.push(at);
  return found;
};
const powers = (low, high) => {
  const found = [];
  for (let p = Math.floor(low); p <= high; p++)
    for (const f of high - low < 1.5 ? [1, 2, 5] : [1])
      if (p + Math.log10(f) >= low && p + Math.log10(f) <= high) found.push(f * 10 ** p);
  return found;
};

const dot = (pixels, w, h, x, y, size, ink) => {
  for (let b = 0; b < size; b++) for (let a = 0; a < size; a++)
    if (x + a < w && y + b < h) pixels[(y + b) * w + x + a] = ink;
};

function chart(box) {
  const ns = numbers(box.dataset.ns), things = box.dataset.things;
  const length = ns.length;
  if (length === 0) return;
  // Sizes that count up by one have only their first.
  const n = box.dataset.from
    ? filled(new Float64Array(length), (first => i => first + i)(Number(box.dataset.from)))
    : new Float32Array(bytesOf(box.dataset.n).buffer);
  const worker = box.dataset.workers ? numbers(box.dataset.workers) : null;
  const canvas = box.appendChild(document.createElement("canvas"));
  const at = box.appendChild(document.createElement("p"));
  at.className = "at";
  const toggle = box.appendChild(document.createElement("button"));
  const context = canvas.getContext("2d");
  const logs = filled(new Float32Array(length), i => Math.log10(Math.max(ns[i], 1)));
  const sorted = Float64Array.from(ns).sort();
  const least = Math.max(sorted[0], 1), most = Math.max(sorted[length - 1], least + 1);
  // The one in a thousand that took longest are drawn larger.
  const limit = sorted[Math.floor((length - 1) * 0.999)], rare = [];
  for (let i = 0; i < length; i++) if (ns[i] > limit) rare.push(i);
  const first = n[0], last = Math.max(n[length - 1], n[0] + 1);
  let logarithmic = true, from, to, low, high, values, pending = false, ratio = 1;
  const all = () => { from = first; to = last; };
  const width = () => canvas.clientWidth - LEFT - RIGHT, height = () => canvas.clientHeight - TOP - BOTTOM;
  // The first operation whose n is not below x.
  const search = x => {
    let a = 0, b = length;
    while (a < b) { const m = (a + b) >> 1; if (n[m] < x) a = m + 1; else b = m; }
    return a;
  };

  function points(image, w, h) {
    const pixels = new Uint32Array(image.data.buffer);
    const dx = (w - 1) / (to - from), dy = (h - 1) / (high - low);
    const row = value => Math.round(h - 1 - (value - low) * dy);
    const lines = logarithmic ? powers(low, high) : ticks(low, high, 5);
    for (const value of lines) pixels.fill(GRID, row(logarithmic ? Math.log10(value) : value) * w,
      row(logarithmic ? Math.log10(value) : value) * w + w);
    const begin = search(from), end = search(to + (to - from) * 1e-9), small = end - begin > 20000 ? 1 : 2;
    const left = 0.5 - from * dx, bottom = h - 0.5 + low * dy;
    for (let i = begin; i < end; i++) {
      const x = (n[i] * dx + left) | 0, y = (bottom - values[i] * dy) | 0;
      const ink = worker ? INKS[worker[i] % INKS.length] : INKS[0];
      if (small === 1) pixels[y * w + x] = ink; else dot(pixels, w, h, x, y, small, ink);
    }
    for (const i of rare)
      if (i >= begin && i < end)
        dot(pixels, w, h, (n[i] * dx + left) | 0, (bottom - values[i] * dy) | 0, 3,
          worker ? INKS[worker[i] % INKS.length] : INKS[0]);
    return lines;
  }

  function draw() {
    const started = performance.now();
    pending = false;
    ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(canvas.clientWidth * ratio);
    canvas.height = Math.round(canvas.clientHeight * ratio);
    values = logarithmic ? logs : ns;
    low = logarithmic ? Math.log10(least) - 0.05 : 0;
    high = logarithmic ? Math.log10(most) + 0.05 : most * 1.03;
    const w = Math.max(Math.round(width() * ratio), 2), h = Math.max(Math.round(height() * ratio), 2);
    const image = context.createImageData(w, h);
    const lines = points(image, w, h);
    context.putImageData(image, LEFT * ratio, TOP * ratio);
    context.scale(ratio, ratio);
    context.strokeStyle = "#888";
    context.strokeRect(LEFT - 0.5, TOP - 0.5, width() + 1, height() + 1);
    context.font = "12px sans-serif";
    context.fillStyle = "#222";
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const value of lines) {
      const up = ((logarithmic ? Math.log10(value) : value) - low) / (high - low);
      context.fillText(time(value), LEFT - 6, TOP + height() * (1 - up));
    }
    context.textBaseline = "top";
    const bottom = TOP + height() + 6, name = context.measureText(things).width + 10;
    context.fillText(things, LEFT + width(), bottom);
    context.textAlign = "center";
    for (const value of ticks(from, to, 6)) {
      const x = LEFT + (value - from) / (to - from) * width();
      if (x + context.measureText(count(value)).width / 2 < LEFT + width() - name)
        context.fillText(count(value), x, bottom);
    }
    toggle.textContent = logarithmic ? "linear scale" : "logarithmic scale";
    canvas.dataset.ms = (performance.now() - started).toFixed(1);
  }
  const redraw = () => { if (!pending) { pending = true; requestAnimationFrame(draw); } };
  const across = event => from + (to - from) * (event.offsetX - LEFT) / width();
  // Keeps what is shown inside of what there is.
  const show = (a, b) => {
    const span = Math.min(Math.max(b - a, (last - first) * 1e-7), last - first);
    from = Math.min(Math.max(a, first), last - span);
    to = from + span;
    redraw();
  };

  canvas.addEventListener("wheel", event => {
    event.preventDefault();
    const x = across(event), factor = event.deltaY < 0 ? 0.8 : 1.25;
    show(x - (x - from) * factor, x + (to - x) * factor);
  }, { passive: false });
  canvas.addEventListener("mousemove", event => {
    if (event.buttons & 1) {
      const move = event.movementX * (to - from) / width();
      show(from - move, to - move);
      return;
    }
    // The nearest point around the pointer.
    const x = across(event), reach = 6 * (to - from) / width(), dy = height() / (high - low);
    let best = -1, distance = Infinity;
    for (let i = search(x - reach); i < length && n[i] <= x + reach; i++) {
      const a = (n[i] - x) / reach * 6, b = TOP + height() - (values[i] - low) * dy - event.offsetY;
      if (a * a + b * b < distance) { distance = a * a + b * b; best = i; }
    }
    at.textContent = best < 0 ? "" : "operation " + count(best) + (worker ? " of worker " + worker[best] : "")
      + ": " + time(ns[best]) + " at " + count(n[best]) + " " + things;
  });
  canvas.addEventListener("dblclick", () => { all(); redraw(); });
  toggle.addEventListener("click", () => { logarithmic = !logarithmic; redraw(); });
  window.addEventListener("resize", redraw);
  all();
  redraw();
}
document.querySelectorAll(".chart").forEach(chart);
