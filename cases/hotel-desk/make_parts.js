// Lays out the modules of the hotel's program, as its package of services brings them.
const fs = require("fs");

const AREAS = 80;
const PER_AREA = 60;
fs.mkdirSync("services", { recursive: true });
for (let area = 0; area < AREAS; area++) {
  const folder = `services/area${area}`;
  fs.mkdirSync(folder, { recursive: true });
  const names = [];
  for (let n = 0; n < PER_AREA; n++) {
    const name = `service${area}_${n}`;
    const lines = [`"use strict";`, `const registry = {};`];
    for (let k = 0; k < 12; k++) {
      lines.push(`function call${k}(room, guest) { if (!room) throw new Error("no room"); return registry[room + ${k}] || guest; }`);
      lines.push(`registry.call${k} = call${k};`);
    }
    lines.push(`module.exports = registry;`);
    fs.writeFileSync(`${folder}/${name}.js`, lines.join("\n"));
    names.push(name);
  }
  fs.writeFileSync(`${folder}/index.js`, names.map((name) => `exports.${name} = require("./${name}");`).join("\n"));
}
const all = [];
for (let area = 0; area < AREAS; area++) all.push(`exports.area${area} = require("./area${area}");`);
fs.writeFileSync("services/index.js", all.join("\n"));
