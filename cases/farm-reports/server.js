// Sends the reports of a farm's season, packed, to whoever asks. Runs until the office closes.
const http = require("http");
const zlib = require("zlib");
const fs = require("fs");
const { monitorEventLoopDelay } = require("perf_hooks");

const FIELDS = ["wheat", "barley", "beet", "clover", "maize", "oats"];
const delay = monitorEventLoopDelay({ resolution: 5 });

function season(year) {
  const rows = [];
  for (let day = 0; day < 200; day++) {
    for (const field of FIELDS) {
      rows.push(`${year};${day};${field};${(day * 37 + year) % 91};${(day * 53 + field.length) % 17}.5`);
    }
  }
  return rows.join("\n");
}

function packedReport(year) {
  return zlib.brotliCompressSync(season(year));
}

const server = http.createServer((request, response) => {
  const year = 1990 + (Number(request.url.slice(1)) % 30);
  const body = packedReport(year);
  response.setHeader("content-encoding", "br");
  response.end(body);
  server.answered = (server.answered || 0) + 1;
});

function close() {
  fs.writeFileSync("truth", `answered ${server.answered}\nloop_delay_ms ${(delay.mean / 1e6).toFixed(1)}\n`);
  process.exit(0);
}

delay.enable();
server.listen(Number(fs.readFileSync("port", "utf8")), "127.0.0.1", () => setTimeout(close, 2500));
