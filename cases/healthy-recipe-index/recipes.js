// Finds recipes by two ingredients.
'use strict';
const fs = require('fs');

const INGREDIENTS = Array.from({ length: 300 }, (_, n) => `ingredient${n}`);

function ingredientsOf(recipe) {
  return [recipe % 300, (recipe * 7) % 300, (recipe * 31 + 5) % 300, (recipe * 101 + 11) % 300].map((n) => INGREDIENTS[n]);
}

function makeIndex(recipes) {
  const index = new Map(INGREDIENTS.map((name) => [name, []]));
  for (let recipe = 0; recipe < recipes; recipe++) {
    for (const name of new Set(ingredientsOf(recipe))) index.get(name).push(recipe);
  }
  return index;
}

function withBoth(one, other) {
  const found = [];
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    if (one[i] === other[j]) found.push(one[i]);
    if (one[i] <= other[j]) i++;
    else j++;
  }
  return found;
}

const start = Date.now();
const index = makeIndex(200000);
const perSecond = [0, 0];
let found = 0;
for (let question = 0; Date.now() - start < 2000; question++) {
  const one = index.get(INGREDIENTS[question % 300]);
  const other = index.get(INGREDIENTS[(question * 17 + 3) % 300]);
  found += withBoth(one, other).length;
  perSecond[Date.now() - start < 1000 ? 0 : 1]++;
}
fs.writeFileSync('truth', `first_second ${perSecond[0]}\nlast_second ${perSecond[1]}\nfound ${found}\n`);
