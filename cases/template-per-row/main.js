// Renders a price list by a small template engine, and packs it.
'use strict';
const fs = require('fs');
const zlib = require('zlib');
const { performance } = require('perf_hooks');

const ROW = '<tr class="<%= row.kind %>"><td><%= row.name %></td><% if (row.stock > 0) { %><td><%= row.stock %> in stock'
    + '</td><% } else { %><td>sold out</td><% } %><td><%= (row.cents / 100).toFixed(2) %></td></tr>';

const spent = { compiling: 0, compiled: 0 };

function toSource(template) {
    let source = 'let out = "";\n';
    let at = 0;
    for (;;) {
        const open = template.indexOf('<%', at);
        if (open < 0) break;
        const close = template.indexOf('%>', open);
        source += `out += ${JSON.stringify(template.slice(at, open))};\n`;
        const code = template.slice(open + 2, close);
        source += code.startsWith('=') ? `out += String(${code.slice(1)});\n` : `${code}\n`;
        at = close + 2;
    }
    return `${source}out += ${JSON.stringify(template.slice(at))};\nreturn out;`;
}

let version = 0;

function prepareTemplate(template) {
    version++;
    return new Function('row', `// version ${version}\n${toSource(template)}`);
}

function renderRow(row) {
    const before = performance.now();
    const template = prepareTemplate(ROW);
    spent.compiling += performance.now() - before;
    spent.compiled++;
    return template(row);
}

function* articles(list) {
    for (let n = 0; n < 4000; n++) {
        yield { name: `Article ${list}/${n}`, kind: n % 3 ? 'plain' : 'offer', stock: n * 31 % 7, cents: 100 + n * 7919 % 90000 };
    }
}

function renderList(list, end) {
    const rows = [];
    for (const row of articles(list)) {
        rows.push(renderRow(row));
        if (performance.now() > end) break;
    }
    return `<table>${rows.join('\n')}</table>`;
}

function main() {
    const start = performance.now();
    const end = start + 2100;
    for (let list = 0; performance.now() < end; list++) {
        const html = renderList(list, end);
        fs.writeFileSync(`list-${list % 3}.html.gz`, zlib.gzipSync(html, { level: 1 }));
    }
    const wall = performance.now() - start;
    fs.writeFileSync('truth', `rows ${spent.compiled}\ncompiling ${spent.compiling / wall}\n`);
}

main();
