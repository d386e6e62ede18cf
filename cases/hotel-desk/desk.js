// The desk of a hotel: books the arrivals of a day into the rooms.
const path = require("path");
const services = require(path.resolve("services"));

function bookRoom(book, guest, room) {
  const keep = services.area3.service3_7.call2;
  book.set(room, keep(room, guest));
}

function arrivals(count) {
  return Array.from({ length: count }, (_, n) => `guest ${n}`);
}

function main() {
  const book = new Map();
  arrivals(120).forEach((guest, n) => bookRoom(book, guest, `room ${100 + n}`));
  console.log(book.size, "rooms are taken");
}

main();
