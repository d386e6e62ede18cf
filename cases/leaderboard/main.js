// Keeps the leaderboard of a game: each score that arrives may change the ranks.
'use strict';
const fs = require('fs');

const players = [];
let sorting = 0n;

class Player {
  constructor(number) {
    this.name = `player-${String(number).padStart(5, '0')}`;
    this.score = 0;
    this.rank = 0;
  }
}

function sortBoard() {
  const before = process.hrtime.bigint();
  players.sort((a, b) => b.score - a.score || a.name.localeCompare(b.name));
  for (let n = 0; n < players.length; n++) players[n].rank = n + 1;
  sorting += process.hrtime.bigint() - before;
}

function recordScore(player, points) {
  player.score += points;
  sortBoard();
  return player.rank;
}

function announce(player, rank) {
  return rank <= 10 ? `${player.name} is now number ${rank}` : '';
}

function main() {
  const all = [];
  for (let n = 0; n < 6000; n++) {
    const player = new Player(n);
    all.push(player);
    players.push(player);
  }
  const start = process.hrtime.bigint();
  let scores = 0;
  let announced = 0;
  let dice = 7;
  while (process.hrtime.bigint() - start < 2000000000n) {
    for (let n = 0; n < 20; n++) {
      dice = (dice * 1103515245 + 12345) % 2147483648;
      const player = all[dice % all.length];
      const rank = recordScore(player, 1 + (dice % 50));
      if (announce(player, rank)) announced++;
      scores++;
    }
  }
  const wall = Number(process.hrtime.bigint() - start);
  fs.writeFileSync('truth', `sorting ${(Number(sorting) / wall).toFixed(3)}\nscores ${scores}\nannounced ${announced}\n`);
}

main();
