"use strict";
// Draws every operation of each chart; wheel zooms, dragging moves, a double click shows all again.
const floats = text => {
  const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  return new Float32Array(bytes.buffer);
};
const time = ns => ns < 1e3 ? ns.toFixed(0) + " ns" : ns < 1e6 ? (ns / 1e3).toFixed(1) + " µs"
  : ns < 1e9 ? (ns / 1e6).toFixed(2) + " ms" : (ns / 1e9).toFixed(3) + " s";
const count = n => Math.round(n).toLocaleString("en");

function chart(box) {
  const n = floats(box.dataset.n), ns = floats(box.dataset.ns), things = box.dataset.things;
  if (n.length === 0) return;
  const canvas = box.appendChild(document.createElement("canvas"));
  const at = box.appendChild(document.createElement("p"));
  at.className = "at";
  const toggle = box.appendChild(document.createElement("button"));
  const context = canvas.getContext("2d");
  let logarithmic = true, from, to, low, high, pending = false;
  let least = Infinity, most = 0;
  for (const value of ns) { if (value > 0 && value < least) least = value; if (value > most) most = value; }
  if (least === Infinity) least = 1;
  const all = () => { from = n[0]; to = Math.max(n[n.length - 1], from + 1); };
  const scale = value => logarithmic ? Math.log(Math.max(value, least)) : value;
  // The first operation whose n is not below x.
  const search = x => {
    let a = 0, b = n.length;
    while (a < b) { const m = (a + b) >> 1; if (n[m] < x) a = m + 1; else b = m; }
    return a;
  };

  function draw() {
    pending = false;
    const ratio = window.devicePixelRatio || 1;
    const w = canvas.width = Math.round(canvas.clientWidth * ratio);
    const h = canvas.height = Math.round(canvas.clientHeight * ratio);
    low = logarithmic ? Math.log(least) : 0;
    high = Math.max(scale(most * 1.05), low + 1e-9);
    const image = context.createImageData(w, h), pixels = new Uint32Array(image.data.buffer);
    const size = n.length > 20000 ? 1 : 2, ink = 0xc09c5108;
    const dx = (w - 1) / (to - from), dy = (h - 1) / (high - low);
    for (let i = search(from), end = n.length; i < end && n[i] <= to; i++) {
      const x = ((n[i] - from) * dx) | 0, y = (h - 1 - (scale(ns[i]) - low) * dy) | 0;
      for (let b = 0; b < size; b++) for (let a = 0; a < size; a++)
        if (x + a < w && y + b < h) pixels[(y + b) * w + x + a] = ink;
    }
    context.putImageData(image, 0, 0);
    context.font = 12 * ratio + "px sans-serif";
    context.fillStyle = "#222";
    for (let line = 0; line <= 4; line++) {
      const value = low + (high - low) * line / 4;
      const y = h - 1 - (h - 1) * line / 4;
      context.fillText(time(logarithmic ? Math.exp(value) : value), 4, Math.min(Math.max(y, 12 * ratio), h - 4));
    }
    const last = count(to) + " " + things;
    context.fillText(count(from), 90 * ratio, h - 4);
    context.fillText(last, w - context.measureText(last).width - 6, h - 4);
    toggle.textContent = logarithmic ? "linear scale" : "logarithmic scale";
  }
  const redraw = () => { if (!pending) { pending = true; requestAnimationFrame(draw); } };
  const across = event => from + (to - from) * event.offsetX / canvas.clientWidth;

  canvas.addEventListener("wheel", event => {
    event.preventDefault();
    const x = across(event), factor = event.deltaY < 0 ? 0.8 : 1.25;
    from = Math.max(n[0], x - (x - from) * factor);
    to = Math.min(Math.max(n[n.length - 1], n[0] + 1), x + (to - x) * factor);
    redraw();
  }, { passive: false });
  canvas.addEventListener("mousemove", event => {
    if (event.buttons & 1) {
      const move = event.movementX * (to - from) / canvas.clientWidth;
      from -= move; to -= move;
      redraw();
    }
    // The nearest point around the pointer.
    const x = across(event), reach = 6 * (to - from) / canvas.clientWidth;
    const dy = canvas.clientHeight / (high - low);
    let best = -1, distance = Infinity;
    for (let i = search(x - reach); i < n.length && n[i] <= x + reach; i++) {
      const a = (n[i] - x) / reach * 6, b = canvas.clientHeight - (scale(ns[i]) - low) * dy - event.offsetY;
      if (a * a + b * b < distance) { distance = a * a + b * b; best = i; }
    }
    at.textContent = best < 0 ? "" : "operation " + count(best) + ": " + time(ns[best]) + " at " + count(n[best]) + " " + things;
  });
  canvas.addEventListener("dblclick", () => { all(); redraw(); });
  toggle.addEventListener("click", () => { logarithmic = !logarithmic; redraw(); });
  window.addEventListener("resize", redraw);
  all();
  redraw();
}
document.querySelectorAll(".chart").forEach(chart);
