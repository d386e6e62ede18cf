// Renders the chapters of a guide book, from a simple markup to HTML, as fast as it can for two seconds.
const fs = require('node:fs');

function writeChapter(number) {
    const lines = [`# Walk ${number}`];
    for (let n = 0; n < 300; n++) {
        lines.push(`Past the *mill* of ${number + n} you turn **left** at the \`gate ${n}\`, and see [the lake](lake${n}.html).`);
        if (n % 25 === 0) lines.push('', `## Part ${n / 25}`, '');
    }
    return lines.join('\n');
}

function escapeText(text) {
    return text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]);
}

function renderLine(line) {
    const text = escapeText(line)
        .replace(/\*\*([^*]+)\*\*/g, '<b>$1</b>')
        .replace(/\*([^*]+)\*/g, '<i>$1</i>')
        .replace(/`([^`]+)`/g, '<code>$1</code>')
        .replace(/\[([^\]]+)\]\(([^)]+)\)/g, '<a href="$2">$1</a>');
    const head = /^(#+) (.*)$/.exec(text);
    return head ? `<h${head[1].length}>${head[2]}</h${head[1].length}>` : text;
}

function render(chapter) {
    return chapter.split('\n').map(renderLine).join('\n');
}

const chapters = Array.from({ length: 20 }, (_, n) => writeChapter(n));
const end = performance.now() + 2000;
let rendered = 0, size = 0;
while (performance.now() < end) size += render(chapters[rendered++ % 20]).length;
fs.writeFileSync('book.txt', `${rendered} chapters, ${size} letters\n`);
