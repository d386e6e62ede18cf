// Serves tiles; each comes from a store that answers after 28 ms. Any number can be under way.
const fs = require('fs');
const http = require('http');

process.title = 'tile_server';

function fromStore(name, done) {
    setTimeout(() => done(Buffer.alloc(2048, name)), 28);
}

const server = http.createServer((request, reply) => {
    fromStore(request.url, (data) => reply.end(data));
});
server.listen(0, '127.0.0.1', () => {
    fs.writeFileSync('port', String(server.address().port));
    fs.renameSync('port', 'ready');
});
