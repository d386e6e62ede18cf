// Writes the modules of a command-line tool.
'use strict';
const fs = require('fs');

fs.mkdirSync('commands');
for (let number = 0; number < 6000; number++) {
  const options = [];
  for (let option = 0; option < 40; option++) {
    options.push(`  option${option}: { type: 'number', text: 'Sets value ${option} of command ${number}', initial: ${number * option} },`);
  }
  fs.mkdirSync(`commands/cmd${number}`);
  fs.writeFileSync(
    `commands/cmd${number}/index.js`,
    `'use strict';\nconst path = require('path');\nexports.name = 'cmd${number}';\nexports.options = {\n${options.join('\n')}\n};\n` +
      `exports.run = (words) => words.map((word) => path.basename(word) + ${number}).join(' ');\n`,
  );
}
