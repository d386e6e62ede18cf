// The prices of some shares. Whoever wants to know them listens.
'use strict';
const { EventEmitter } = require('events');

class Prices extends EventEmitter {
  constructor(shares) {
    super();
    this.setMaxListeners(0);
    this.last = new Float64Array(shares);
  }

  publish(share, price) {
    this.last[share] = price;
    this.emit('price', share, price);
  }
}

module.exports = { Prices };
