"use strict";
// Draws every operation of each chart; the wheel zooms, dragging moves, a double click shows all again.
// Every point in view is written into the pixels itself, so that no outlier is ever left out: what is longer
// than a linear scale has room for stands at its upper edge.
const bytesOf = text => {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
};
// Whole numbers, seven bits per byte, the low ones first; the high bit says that more follow.
const numbers = text => {
  const bytes = bytesOf(text), found = new Float64Array(bytes.length);
  let count = 0, value = 0, unit = 1;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
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
const LEFT = 74, BOTTOM = 24, TOP = 22, RIGHT = 14, COLUMNS = 240, BINS = 8192, BLOCK = 4096, WORST = 5;

// Colors as the page's style has them, of the scheme that holds; a pixel has blue, green, red.
const dark = matchMedia("(prefers-color-scheme: dark)");
const pixel = color => 0xff000000 | parseInt(color.slice(5, 7) + color.slice(3, 5) + color.slice(1, 3), 16);
const colors = () => {
  const style = getComputedStyle(document.documentElement);
  const of = name => style.getPropertyValue("--" + name).trim();
  const inks = of("inks").split(" ");
  return { text: of("text"), faint: of("faint"), grid: of("grid"), line: of("line"), mark: of("mark"), law: of("law"), band: of("band"), page: of("page"), inks,
    pixels: Uint32Array.from(inks, pixel), gridPixel: pixel(of("grid")) };
};

// Round numbers between two, about as many as wanted.
const ticks = (low, high, wanted) => {
  const raw = (high - low) / wanted, power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5].find(f => f * power >= raw) || 10), found = [];
  const first = Math.ceil(low / step);
  for (let i = 0; i <= wanted + 2 && (first + i) * step <= high; i++) found.push((first + i) * step);
  return found;
};
// Round numbers between two powers of ten, at even distances as far as that goes.
const powers = (low, high) => {
  const found = [];
  for (let p = Math.floor(low); p <= high; p++)
    for (const f of high - low < 1.5 ? [1, 2, 5] : [1])
      if (p + Math.log10(f) >= low && p + Math.log10(f) <= high) found.push(f * 10 ** p);
  return found.length > 2 ? found : ticks(10 ** low, 10 ** high, 5);
};

const dot = (pixels, w, h, x, y, size, ink) => {
  for (let b = 0; b < size; b++) for (let a = 0; a < size; a++)
    if (x + a >= 0 && x + a < w && y + b >= 0 && y + b < h) pixels[(y + b) * w + x + a] = ink;
};

function chart(box) {
  const ns = numbers(box.dataset.ns), things = box.dataset.things;
  const length = ns.length;
  if (length === 0) return;
  // Sizes that count up by one have only their first.
  let n;
  if (box.dataset.from) {
    const first = Number(box.dataset.from);
    n = new Float64Array(length);
    for (let i = 0; i < length; i++) n[i] = first + i;
  } else n = new Float32Array(bytesOf(box.dataset.n).buffer);
  const worker = box.dataset.workers ? numbers(box.dataset.workers) : null;
  let ink = colors();
  // The ink of each operation; without workers all have the first.
  const hue = new Uint8Array(length);
  const marks = JSON.parse(box.dataset.marks || "[]");
  const levels = JSON.parse(box.dataset.levels || "[]");
  const law = box.dataset.law ? JSON.parse(box.dataset.law) : null;
  const add = (kind, name) => {
    const element = box.appendChild(document.createElement(kind));
    element.className = name;
    return element;
  };
  const canvas = add("canvas", ""), at = add("p", "at"), context = canvas.getContext("2d");
  const logs = new Float32Array(length);
  let least = Infinity, most = 1;
  for (let i = 0; i < length; i++) {
    const value = Math.max(ns[i], 1);
    logs[i] = Math.log10(value);
    if (value < least) least = value;
    if (value > most) most = value;
  }
  most = Math.max(most, least + 1);
  // What takes longer than a share of those from one to another, by a histogram: closer than a pixel.
  const bottom = Math.log10(least), fine = (BINS - 1) / (Math.log10(most) - bottom), bins = new Uint32Array(BINS);
  const quantile = (begin, end, share) => {
    bins.fill(0);
    for (let i = begin; i < end; i++) bins[((logs[i] - bottom) * fine) | 0]++;
    let left = (end - begin) * share, bin = 0;
    while (bin < BINS - 1 && (left -= bins[bin]) > 0) bin++;
    return 10 ** (bottom + (bin + 1) / fine);
  };
  const usual = quantile(0, length, 0.5);
  // The one in a thousand that took longest are drawn larger, the very longest with what they took.
  const limit = quantile(0, length, 0.999), rare = [];
  for (let i = 0; i < length; i++) if (ns[i] > limit) rare.push(i);
  const worst = rare.filter(i => ns[i] > 10 * usual).sort((a, b) => ns[b] - ns[a]).slice(0, WORST);
  const first = n[0], last = Math.max(n[length - 1], n[0] + 1);
  if (worker) for (let i = 0; i < length; i++) hue[i] = worker[i] % ink.inks.length;
  let logarithmic = true, cut = false, from, to, low, high, values, pending = false, ratio = 1;
  const all = () => { from = first; to = last; };
  const width = () => canvas.clientWidth - LEFT - RIGHT, height = () => canvas.clientHeight - TOP - BOTTOM;
  // The first operation whose n is not below x.
  const search = x => {
    let a = 0, b = length;
    while (a < b) { const m = (a + b) >> 1; if (n[m] < x) a = m + 1; else b = m; }
    return a;
  };

  // Medians and p95 of columns of equally many operations, from one to another: of all of them once, of fewer
  // anew, where there is more to see.
  const medians = (begin, end) => {
    const all = end - begin, columns = all <= 100 ? all : Math.min(COLUMNS, Math.floor(all / 8)), found = [];
    for (let c = 0; c < columns; c++) {
      const a = begin + Math.floor((end - begin) * c / columns), b = begin + Math.floor((end - begin) * (c + 1) / columns);
      found.push([n[(a + b) >> 1], quantile(a, b, 0.5), quantile(a, b, 0.95)]);
    }
    return found;
  };
  // Few points are large enough to be seen.
  const size = count => count > 20000 ? 1 : count > 400 ? 2 : count > 100 ? 3 : 5;
  const whole = medians(0, length);
  const lineOf = (begin, end) => end - begin < 30000 ? medians(begin, end) : whole;

  // The shortest and longest from one to another; of whole blocks they are known.
  const extremes = (begin, end) => {
    let shortest = Infinity, longest = 1;
    for (let i = begin; i < end; i++) {
      if (ns[i] < shortest) shortest = ns[i];
      if (ns[i] > longest) longest = ns[i];
    }
    return [shortest, longest];
  };
  const blocks = [];
  for (let i = 0; i < length; i += BLOCK) blocks.push(extremes(i, Math.min(i + BLOCK, length)));
  // The scale of what is in view. The few that take much longer do not make a linear one flat.
  const scale = (begin, end) => {
    const head = Math.ceil(begin / BLOCK), tail = Math.max(Math.floor(end / BLOCK), head);
    const parts = head === tail ? [extremes(begin, end)]
      : [extremes(begin, head * BLOCK), ...blocks.slice(head, tail), extremes(tail * BLOCK, end)];
    let shortest = Infinity, longest = 1;
    for (const [a, b] of parts) {
      shortest = Math.min(shortest, a);
      longest = Math.max(longest, b);
    }
    shortest = Math.max(Math.min(shortest, longest), 1);
    longest = Math.max(longest, shortest + 1);
    const enough = logarithmic ? Infinity : 2 * quantile(begin, end, 0.99), was = cut;
    cut = !logarithmic && longest > enough;
    low = logarithmic ? Math.log10(shortest) - 0.05 : 0;
    high = logarithmic ? Math.log10(longest) + 0.05 : Math.min(longest, enough) * 1.03;
    if (cut !== was) explain();
  };

  function points(image, w, h, begin, end) {
    const pixels = new Uint32Array(image.data.buffer);
    const dx = (w - 1) / (to - from), dy = (h - 1) / (high - low);
    const row = value => Math.round(h - 1 - (value - low) * dy);
    const lines = logarithmic ? powers(low, high) : ticks(low, high, 5);
    for (const value of lines) {
      const y = row(logarithmic ? Math.log10(value) : value);
      pixels.fill(ink.gridPixel, y * w, y * w + w);
    }
    const small = size(end - begin), inks = ink.pixels;
    // A point of several pixels has its place in its middle.
    const middle = small >> 1, left = 0.5 - from * dx - middle, ground = h - 0.5 + low * dy - middle;
    const draw = (i, size) =>
      dot(pixels, w, h, (n[i] * dx + left) | 0, Math.max(ground - values[i] * dy, 0) | 0, size, inks[hue[i]]);
    if (small === 1)
      for (let i = begin; i < end; i++)
        pixels[(Math.max(ground - values[i] * dy, 0) | 0) * w + ((n[i] * dx + left) | 0)] = inks[hue[i]];
    else
      for (let i = begin; i < end; i++) draw(i, small);
    for (const i of rare) if (i >= begin && i < end) draw(i, 3);
    return lines;
  }

  // What many operations cost, at the right end: above the line, or below it where that is taken.
  function bands(y) {
    context.save();
    context.textBaseline = "alphabetic";
    context.textAlign = "right";
    const right = LEFT + width(), taken = [];
    for (const level of levels) {
      const up = y(level.ns);
      if (up <= TOP || up >= TOP + height()) continue;
      context.strokeStyle = context.fillStyle = ink.band;
      context.setLineDash([1, 4]);
      context.beginPath();
      context.moveTo(LEFT, up);
      context.lineTo(right, up);
      context.stroke();
      const base = [up - 5, up + 13].find(base => base > TOP + 10 && taken.every(other => Math.abs(other - base) >= 13));
      if (base === undefined) continue;
      taken.push(base);
      // The points below must not make it unreadable.
      context.setLineDash([]);
      context.strokeStyle = ink.page;
      context.lineWidth = 3;
      context.strokeText(level.text, right - 5, base);
      context.lineWidth = 1;
      context.fillText(level.text, right - 5, base);
    }
    context.restore();
  }

  // What is said of single places: where the cost changes, and the longest operations.
  function notes(x, y, begin, end) {
    context.save();
    context.textBaseline = "alphabetic";
    context.fillStyle = context.strokeStyle = ink.mark;
    context.setLineDash([5, 4]);
    let free = LEFT;
    for (const mark of marks) {
      if (mark.n < from || mark.n > to) continue;
      context.beginPath();
      context.moveTo(x(mark.n), TOP);
      context.lineTo(x(mark.n), TOP + height());
      context.stroke();
      const wide = context.measureText(mark.text).width;
      const start = Math.max(Math.min(x(mark.n) - wide / 2, LEFT + width() - wide), free);
      if (start + wide > LEFT + width() + RIGHT) continue;
      context.textAlign = "left";
      context.fillText(mark.text, start, TOP - 8);
      free = start + wide + 12;
    }
    context.setLineDash([]);
    const rings = worst.filter(i => i >= begin && i < end);
    // Left, baseline and right of what no text may cover; only the longest has its own in any case.
    const taken = rings.map(i => [x(n[i]) - 6, y(ns[i]) + 4, x(n[i]) + 6]);
    for (const i of rings) {
      const a = x(n[i]), b = y(ns[i]), text = time(ns[i]), wide = context.measureText(text).width;
      context.beginPath();
      context.arc(a, b, 5, 0, 7);
      context.stroke();
      const line = Math.max(b + 4, TOP + 12);
      const covers = start => taken.some(t => Math.abs(t[1] - line) < 13 && start < t[2] && start + wide > t[0]);
      const start = [a + 9, a - 9 - wide].find(start => start > LEFT && start + wide < LEFT + width()
        && (i === rings[0] || !covers(start)));
      if (start === undefined) continue;
      taken.push([start - 4, line, start + wide + 4]);
      context.textAlign = "left";
      context.fillText(text, start, line);
    }
    context.restore();
  }

  function draw() {
    const started = performance.now();
    pending = false;
    ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(canvas.clientWidth * ratio);
    canvas.height = Math.round(canvas.clientHeight * ratio);
    values = logarithmic ? logs : ns;
    const w = Math.max(Math.round(width() * ratio), 2), h = Math.max(Math.round(height() * ratio), 2);
    const begin = search(from), end = search(to + (to - from) * 1e-9);
    scale(begin, end);
    const image = context.createImageData(w, h);
    const lines = points(image, w, h, begin, end);
    context.putImageData(image, Math.round(LEFT * ratio), Math.round(TOP * ratio));
    context.scale(ratio, ratio);
    const x = value => LEFT + (value - from) / (to - from) * width();
    const up = value => ((logarithmic ? Math.log10(Math.max(value, 1)) : value) - low) / (high - low);
    const y = value => TOP + height() * Math.max(1 - up(value), 0);
    context.font = "12px sans-serif";
    context.save();
    context.beginPath();
    context.rect(LEFT, TOP, width(), height());
    context.clip();
    context.beginPath();
    const line = lineOf(begin, end);
    for (const [size, median] of line) context.lineTo(x(size), y(median));
    context.strokeStyle = ink.line;
    context.lineWidth = 2;
    context.stroke();
    context.beginPath();
    for (const [size, , high] of line) context.lineTo(x(size), y(high));
    context.lineWidth = 0.8;
    context.globalAlpha = 0.6;
    context.stroke();
    context.globalAlpha = 1;
    if (law) {
      context.fillStyle = context.strokeStyle = ink.law;
      context.globalAlpha = 0.16;
      context.beginPath();
      for (const [size, , , most] of law.points) context.lineTo(x(size), y(most));
      for (const [size, , least] of [...law.points].reverse()) context.lineTo(x(size), y(least));
      context.fill();
      context.globalAlpha = 1;
      context.setLineDash([7, 4]);
      context.lineWidth = 1.6;
      context.beginPath();
      for (const [size, cost] of law.points) context.lineTo(x(size), y(cost));
      context.stroke();
      context.setLineDash([]);
    }
    context.restore();
    bands(y);
    notes(x, y, begin, end);
    context.strokeStyle = ink.faint;
    context.strokeRect(LEFT - 0.5, TOP - 0.5, width() + 1, height() + 1);
    context.fillStyle = ink.text;
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const value of lines) context.fillText(time(value), LEFT - 6, y(value));
    context.textBaseline = "top";
    const bottom = TOP + height() + 6, name = context.measureText(things).width + 10;
    context.fillText(things, LEFT + width(), bottom);
    context.textAlign = "center";
    let free = 0;
    for (const value of ticks(from, to, Math.min(Math.max(width() / 90, 2), 8))) {
      const half = context.measureText(count(value)).width / 2;
      if (x(value) - half < free || x(value) + half > LEFT + width() - name) continue;
      context.fillText(count(value), x(value), bottom);
      free = x(value) + half + 8;
    }
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
  const zoom = (x, factor) => show(x - (x - from) * factor, x + (to - x) * factor);

  canvas.addEventListener("wheel", event => {
    event.preventDefault();
    zoom(across(event), event.deltaY < 0 ? 0.8 : 1.25);
  }, { passive: false });
  canvas.addEventListener("pointerdown", event => canvas.setPointerCapture(event.pointerId));
  let held = null;
  canvas.addEventListener("pointermove", event => {
    if (event.buttons & 1) {
      const move = ((held ?? event.offsetX) - event.offsetX) * (to - from) / width();
      held = event.offsetX;
      show(from + move, to + move);
      return;
    }
    held = null;
    // The nearest point around the pointer. The canvas is asked for its size once: thousands of points may be near.
    const x = across(event), reach = 6 * (to - from) / width(), tall = height(), dy = tall / (high - low);
    const ground = TOP + tall, above = event.offsetY;
    let best = -1, distance = Infinity;
    for (let i = search(x - reach); i < length && n[i] <= x + reach; i++) {
      const a = (n[i] - x) / reach * 6, b = Math.max(ground - (values[i] - low) * dy, TOP) - above;
      if (a * a + b * b < distance) { distance = a * a + b * b; best = i; }
    }
    at.textContent = best < 0 ? "" : "operation " + count(best) + (worker ? " of worker " + worker[best] : "")
      + ": " + time(ns[best]) + " at " + count(n[best]) + " " + things;
  });
  canvas.addEventListener("pointerup", () => { held = null; });
  canvas.addEventListener("dblclick", () => { all(); redraw(); });
  const button = (text, act) => {
    const made = add("button", "");
    made.textContent = text;
    made.addEventListener("click", () => { act(made); redraw(); });
  };
  button("closer", () => zoom((from + to) / 2, 0.5));
  button("farther", () => zoom((from + to) / 2, 2));
  button("all", all);
  button("linear scale", made => {
    logarithmic = !logarithmic;
    made.textContent = logarithmic ? "linear scale" : "logarithmic scale";
  });
  const legend = add("p", "legend");
  const explain = () => {
    const what = box.dataset.slow ? "each dot: p99, what 99 of 100 operations took at most" : "a point: one operation; line: median; thin line: p95";
    legend.textContent = what + (law ? "; dashed green: " + law.label : "")
      + (rare.length && !box.dataset.slow ? "; larger: the slowest of each thousand" : "") + (worst.length && !box.dataset.slow ? "; rings: the longest" : "")
      + (levels.length ? "; dotted: what many cost" : "") + (marks.length ? "; dashed upright: where it changes" : "") + (cut ? "; at the upper edge: longer than shown" : "") + (worker ? "; workers: " : "");
    const most = worker ? worker.reduce((a, b) => Math.max(a, b), 0) : -1;
    for (let i = 0; i < Math.min(most + 1, ink.inks.length); i++) {
      const name = legend.appendChild(document.createElement("span"));
      name.style.color = ink.inks[i];
      name.textContent = "■ " + [i, i + ink.inks.length].filter(w => w <= most).join(", ")
        + (i + 2 * ink.inks.length <= most ? " …" : "") + " ";
    }
  };
  window.addEventListener("resize", redraw);
  dark.addEventListener("change", () => { ink = colors(); explain(); redraw(); });
  explain();
  all();
  redraw();
}
document.querySelectorAll(".chart").forEach(chart);
