'use strict';
const before = process.hrtime.bigint();
const [family, subject] = process.argv.slice(2);
const lines = [`Dear ${family},`, '', `we would like to invite you to ${subject}.`, 'Please bring a cake.', '', 'The teachers'];
const width = Math.max(...lines.map((line) => line.length));
const letter = lines.map((line) => `| ${line.padEnd(width)} |`).join('\n');
const took = Number((process.hrtime.bigint() - before) / 1000n);
process.stdout.write(`${letter}\ntook ${took}\n`);
