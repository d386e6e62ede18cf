// A page with one share and its neighbours.
'use strict';

class Page {
  constructor(prices, share) {
    this.prices = prices;
    this.share = share;
    this.lines = 0;
  }

  open() {
    this.prices.on('price', (share, price) => this.onPrice(share, price));
  }

  onPrice(share, price) {
    if (Math.abs(share - this.share) < 4) {
      this.line = `${share}: ${price}`;
      this.lines++;
    }
  }
}

module.exports = { Page };
