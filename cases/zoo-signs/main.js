// Writes the signs of a zoo; the facts about each animal are in a file.
const fs = require('node:fs');

function writeFacts(animals) {
    const facts = {};
    for (let n = 0; n < animals; n++) {
        facts[`animal ${n}`] = { latin: `bestia ${n}`, legs: n % 5 * 2, eats: [`food ${n % 7}`, `food ${n % 9}`], kilos: n * 3 % 700 };
    }
    fs.writeFileSync('animals.json', JSON.stringify(facts));
}

let loading = 0;

function factsAbout(animal) {
    const before = performance.now();
    const all = JSON.parse(fs.readFileSync('animals.json', 'utf8'));
    loading += performance.now() - before;
    return all[animal];
}

function sign(animal) {
    const facts = factsAbout(animal);
    return `${animal} (${facts.latin}) weighs ${facts.kilos} kg and eats ${facts.eats.join(' and ')}.`;
}

writeFacts(900);
const start = performance.now();
let signs = 0, letters = 0;
while (performance.now() < start + 2000) letters += sign(`animal ${signs++ * 7 % 900}`).length;
const wall = performance.now() - start;
fs.writeFileSync('truth', `loading ${(loading / wall).toFixed(3)}\nsigns ${signs}\nletters ${letters}\n`);
