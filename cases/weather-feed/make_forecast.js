// A forecast of 14,000 stations.
'use strict';
const stations = Array.from({ length: 14000 }, (_, n) => ({
  name: `station ${n}`, height: n * 7 % 2900, degrees: Array.from({ length: 24 }, (_, hour) => (n * 31 + hour * 7) % 40 - 5),
}));
require('fs').writeFileSync('forecast.json', JSON.stringify({ day: '2026-11-24', stations }));
