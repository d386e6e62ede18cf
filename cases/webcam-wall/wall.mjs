// Shows a town's cameras on one wall: fetches all pictures at once, and draws them by their brightness.
import http from 'node:http';

const cameras = Array.from({ length: 12 }, (_, i) => ({ id: i, host: `cam${i}.town.example`, port: 12594 }));

function fetchPicture({ id, host, port }) {
  return new Promise((resolve, reject) => {
    http.get({ host, port, path: `/cam/${id}.raw` }, (res) => {
      const parts = [];
      res.on('data', (p) => parts.push(p));
      res.on('end', () => resolve(Buffer.concat(parts)));
    }).on('error', reject);
  });
}

function brightness(raw) {
  let sum = 0;
  for (const b of raw) sum += b;
  return sum / raw.length;
}

async function drawWall() {
  const pictures = await Promise.all(cameras.map(fetchPicture));
  return pictures.map((raw) => brightness(raw).toFixed(1)).join(' ');
}

const t = performance.now();
console.log(await drawWall());
console.error(`${((performance.now() - t) / 1000).toFixed(2)} s for ${cameras.length} cameras`);
