// Asks a price server for each article, one after the other.
const net = require('net');
const fs = require('fs');

const port = Number(fs.readFileSync('ready', 'utf8'));
const start = Date.now();
let asked = 0, waited = 0n;

const socket = net.connect(port, '127.0.0.1', askPrice);
let before;

function askPrice() {
    before = process.hrtime.bigint();
    socket.write(`price of article ${asked++}\n`);
}

socket.on('data', () => {
    waited += process.hrtime.bigint() - before;
    if (Date.now() - start < 2000) return askPrice();
    socket.end();
    const share = Number(waited) / 1e6 / (Date.now() - start);
    fs.writeFileSync('truth', `share ${share.toFixed(3)}\nrequests ${asked}\n`);
});
