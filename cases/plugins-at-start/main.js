// A command-line tool: every command is a module in the folder "commands".
'use strict';
const fs = require('fs');
const path = require('path');

function loadCommands(folder) {
  const commands = new Map();
  for (const entry of fs.readdirSync(folder)) {
    const command = require(path.resolve(folder, entry));
    commands.set(command.name, command);
  }
  return commands;
}

const start = process.hrtime.bigint();
const commands = loadCommands('commands');
const loaded = process.hrtime.bigint();
const answer = commands.get('cmd1789').run(['a/b', 'c/d']);
const end = process.hrtime.bigint();
fs.writeFileSync('truth', `loading_s ${(Number(loaded - start) / 1e9).toFixed(2)}\nrunning_ms ${(Number(end - loaded) / 1e6).toFixed(2)}\ncommands ${commands.size}\nanswer ${answer}\n`);
