// The counter of a photo shop: gives orders to the laboratory, and the photos to the customers.
const fs = require('fs');

let waited = 0n;

function waitForPhoto(path) {
  return new Promise((resolve) => {
    const before = process.hrtime.bigint();
    fs.watchFile(path, { interval: 250 }, function photoChanged(now) {
      if (now.size === 0) return;
      fs.unwatchFile(path, photoChanged);
      waited += process.hrtime.bigint() - before;
      resolve();
    });
  });
}

async function serveCustomer(number) {
  const order = `order-${number}`;
  fs.writeFileSync(`${order}.photo`, '');
  fs.writeFileSync(order, `customer ${number}`);
  await waitForPhoto(`${order}.photo`);
  return fs.readFileSync(`${order}.photo`, 'utf8').trim();
}

async function main() {
  const start = process.hrtime.bigint();
  const photos = [];
  while (process.hrtime.bigint() - start < 2_000_000_000n) {
    photos.push(await serveCustomer(photos.length + 1));
  }
  const wall = process.hrtime.bigint() - start;
  fs.writeFileSync('truth', `share ${(Number(waited) / Number(wall)).toFixed(3)}\nphotos ${photos.length}\nlast ${photos.at(-1).length}\n`);
}

main();
