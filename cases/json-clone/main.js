// An editor that copies its whole document by JSON for every key that is pressed.
const fs = require('fs');

function cloneState(state) {
    return JSON.parse(JSON.stringify(state));
}

let state = { lines: Array.from({ length: 20000 }, (_, n) => ({ number: n, text: `line ${n}`, marks: [n % 7] })) };
const history = [];
const start = Date.now();
let keys = 0, cloning = 0;
while (Date.now() - start < 2000) {
    const before = performance.now();
    history[keys % 3] = cloneState(state);
    cloning += performance.now() - before;
    state.lines[keys % 20000].text += 'x';
    keys++;
}
fs.writeFileSync('truth', `keys ${keys}\ncloning_share ${(cloning / (Date.now() - start)).toFixed(3)}\n`);
