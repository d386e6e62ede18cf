// Takes uploads of a photo club: makes a small preview of each and keeps the index of all pictures in memory.
const index = new Map();

function addYear(year) {
  for (let i = 0; i < 25000; i++) {
    const id = `${year}/${i}`;
    index.set(id, { id, owner: `member${(i * 31) % 700}`, tags: [`tag${i % 40}`, `tag${(i * 7) % 90}`], views: i % 13 });
  }
}

function preview(upload) {
  const small = new Uint8Array(64 * 64);
  for (let y = 0; y < 64; y++)
    for (let x = 0; x < 64; x++) small[y * 64 + x] = upload[(y * 4 * 256 + x * 4) % upload.length];
  return small;
}

function releaseBuffers() {
  if (global.gc) global.gc();
}

function receive(number) {
  const upload = new Uint8Array(256 * 256).fill(number & 255);
  const small = preview(upload);
  index.get(`2020/${number % 25000}`).views += small[100] & 1;
  releaseBuffers();
}

for (let year = 2012; year < 2024; year++) addYear(year);
const start = process.hrtime.bigint();
let uploads = 0;
while (process.hrtime.bigint() - start < 1800000000n) receive(uploads++);
console.log(uploads, "uploads,", index.size, "pictures");
