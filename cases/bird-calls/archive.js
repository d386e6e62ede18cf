'use strict';
// The archive of bird calls: tells where a recording was made.
const http = require('http');
const fs = require('fs');

function writeRecordings() {
  const all = [];
  for (let n = 0; n < 26000; n++) {
    all.push({ id: `R${n}`, bird: ['wren', 'robin', 'siskin', 'dunnock'][n % 4], place: `wood ${n % 613}`,
      seconds: 3 + (n % 50), tags: ['dawn', 'male', `year ${1980 + (n % 40)}`] });
  }
  fs.writeFileSync('recordings.json', JSON.stringify(all));
}

function recordings() {
  return JSON.parse(fs.readFileSync('recordings.json', 'utf8'));
}

function placeOf(id) {
  const recording = recordings().find((one) => one.id === id);
  return recording ? recording.place : 'unknown';
}

writeRecordings();
http.createServer((request, response) => {
  response.end(placeOf(request.url.slice(1)));
}).listen(18743, '127.0.0.1', () => fs.writeFileSync('ready', ''));
