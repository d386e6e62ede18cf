// A clock that ticks ten times a second, as it was asked to, and draws a little.
let ticks = 0;

function draw() {
    let line = '';
    for (let n = 0; n < 1000; n++) line += String.fromCharCode(65 + (n * ticks) % 26);
    return line;
}

const ticker = setInterval(() => {
    draw();
    if (++ticks === 18) clearInterval(ticker);
}, 100);
