// The control room of a fairground: every ride reports its turns, and visitors look at a ride for a moment.
'use strict';
const { EventEmitter } = require('events');
const fs = require('fs');

const bus = new EventEmitter();
bus.setMaxListeners(0);

const rides = ['carousel', 'wheel', 'swing boat', 'ghost train'];
let shown = 0;

class Visitor {
  constructor(ride) {
    this.ride = ride;
    this.turns = 0;
    this.away = false;
    bus.on('turn', (turn) => this.look(turn));
  }

  look(turn) {
    if (this.away || turn.ride !== this.ride) return;
    this.turns++;
    shown++;
  }

  leave() {
    this.away = true;
  }
}

function reportTurn(turn) {
  bus.emit('turn', turn);
}

function visit(number) {
  const visitor = new Visitor(rides[number % rides.length]);
  for (let second = 0; second < 3; second++) {
    reportTurn({ ride: rides[(number + second) % rides.length], speed: 3 + second, at: number });
  }
  visitor.leave();
  return visitor.turns;
}

let visitors = 0;
let turns = 0;
const start = process.hrtime.bigint();

function openGate() {
  for (let n = 0; n < 10; n++) turns += visit(visitors++);
  if (process.hrtime.bigint() - start < 2000000000n) {
    setImmediate(openGate);
  } else {
    fs.writeFileSync('truth', `visitors ${visitors}\nturns ${turns}\nshown ${shown}\n`);
  }
}

openGate();
