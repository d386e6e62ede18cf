// A clock that shows the tide: the hand moves five times a second. Here for two and a half seconds.
const MOON = 12.42 * 3600;

function height(seconds) {
  return 2.1 + 1.7 * Math.cos((2 * Math.PI * seconds) / MOON) + 0.3 * Math.cos((4 * Math.PI * seconds) / MOON);
}

function hand(metres) {
  return "~".repeat(Math.round(metres * 10));
}

let moved = 0;
const ticking = setInterval(() => {
  const metres = height(moved * 1800);
  process.stdout.write(`${metres.toFixed(2)} m ${hand(metres)}\n`);
  moved++;
  if (moved === 12) clearInterval(ticking);
}, 200);
