'use strict';
const fs = require('fs');
fs.mkdirSync('branches');
for (let branch = 0; branch < 40; branch++) {
  const lines = [];
  for (let n = 0; n < 40000; n++) {
    lines.push(JSON.stringify({ book: `book ${(n * 31 + branch) % 5000}`, reader: `reader ${(n * 17) % 3000}`, days: (n * 7) % 28 }));
  }
  fs.writeFileSync(`branches/b${String(branch).padStart(2, '0')}.jsonl`, lines.join('\n') + '\n');
}
