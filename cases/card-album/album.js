// The album service: answers one question per line. Each answer makes a trip to the other town and back.
'use strict';
const fs = require('fs');
const net = require('net');

const answers = {
  HAS: () => 'yes',
  NAME: (n) => `Locomotive ${n}`,
  YEAR: (n) => String(1890 + (n % 70)),
  PRICE: (n) => String(50 + (n * 31) % 400),
};

const server = net.createServer((socket) => {
  socket.setNoDelay(true);
  let rest = '';
  socket.on('data', (data) => {
    const lines = (rest + data).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const [verb, number] = line.split(' ');
      setTimeout(() => socket.write(answers[verb](Number(number)) + '\n'), 4);
    }
  });
  socket.on('error', () => {});
});
server.listen(0, '127.0.0.1', () => {
  fs.writeFileSync('ready.new', String(server.address().port));
  fs.renameSync('ready.new', 'ready');
});
