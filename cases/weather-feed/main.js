// Loads the forecast of all stations, which arrives in pieces, and finds the warmest of them.
'use strict';
const fs = require('fs');
const { Intake } = require('./intake');

function loadForecast(path) {
  return new Promise((resolve, reject) => {
    const intake = new Intake(resolve);
    fs.createReadStream(path, 'utf8').on('data', (piece) => intake.take(piece)).on('error', reject);
  });
}

function warmest(forecast) {
  return forecast.stations.reduce((a, b) => (Math.max(...b.degrees) > Math.max(...a.degrees) ? b : a)).name;
}

async function main() {
  const start = performance.now();
  let loads = 0, name = '';
  while (performance.now() - start < 1800) {
    name = warmest(await loadForecast('forecast.json'));
    loads++;
  }
  const wall = performance.now() - start;
  fs.writeFileSync('truth', `taking ${(Intake.taking / wall).toFixed(3)}\npieces ${Intake.pieces}\nloads ${loads}\nwarmest ${name}\n`);
}
main();
