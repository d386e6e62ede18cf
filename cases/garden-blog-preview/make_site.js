'use strict';
const fs = require('fs');
for (let section = 0; section < 60; section++) {
  fs.mkdirSync(`site/section-${section}`, { recursive: true });
  for (let post = 0; post < 50; post++) {
    const lines = Array.from({ length: 12 }, (_, n) => `Bed ${n} in section ${section} has *plant ${(post * n) % 90}* and needs _water_.`);
    fs.writeFileSync(`site/section-${section}/post-${post}.md`, `# Post ${post}\n\n${lines.join('\n')}\n`);
  }
}
