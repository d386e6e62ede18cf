// A store that opens its port 60 ms after the report has started.
'use strict';
const fs = require('fs');
const http = require('http');
const net = require('net');

process.title = 'store';
const probe = net.createServer();
probe.listen(0, '127.0.0.1', () => {
    const { port } = probe.address();
    probe.close(() => {
        fs.writeFileSync('port', String(port));
        fs.renameSync('port', 'ready');
        const watch = setInterval(() => {
            if (fs.existsSync('report-started')) {
                clearInterval(watch);
                setTimeout(() => open(port), 60);
            }
        }, 5);
    });
});

function open(port) {
    const rows = Array.from({ length: 300 }, (_, n) => ({ name: `row ${n}`, value: (n * 7919) % 1000 }));
    const body = JSON.stringify(rows);
    http.createServer((request, reply) => {
        reply.setHeader('Content-Length', body.length);
        reply.end(body);
    }).listen(port, '127.0.0.1');
}
