// The cloakroom of a theatre: each guest's ticket listens for the announcements of the house.
const EventEmitter = require('events');
const fs = require('fs');

const house = new EventEmitter();
house.setMaxListeners(0);
let announcing = 0n;

class Ticket {
  constructor(number) {
    this.number = number;
    this.heard = 0;
    this.listener = (minutes) => this.hear(minutes);
    house.on('announcement', this.listener);
  }

  hear(minutes) {
    this.heard += minutes > 0 ? 1 : 0;
  }

  giveBack() {
    house.removeListener('announcment', this.listener);
    return this.heard;
  }
}

function announce(minutes) {
  const before = process.hrtime.bigint();
  house.emit('announcement', minutes);
  announcing += process.hrtime.bigint() - before;
}

function serveGuest(number) {
  const ticket = new Ticket(number);
  announce(number % 4);
  return ticket.giveBack();
}

const start = process.hrtime.bigint();
let guests = 0;
let heard = 0;
while (process.hrtime.bigint() - start < 2_000_000_000n) {
  heard += serveGuest(guests++);
}
const wall = process.hrtime.bigint() - start;
fs.writeFileSync('truth', `announcing ${(Number(announcing) / Number(wall)).toFixed(3)}\nguests ${guests}\nheard ${heard}\nlisteners ${house.listenerCount('announcement')}\n`);
