#!/bin/bash
# Packs the songs of a choir for its members, and says so in their chat.
set -euo pipefail

pack() {
    tar -C songs -cf - . | xz -9e > songs.tar.xz
    sha256sum songs.tar.xz > songs.sum
}

announce() {
    curl -sf -H 'Content-Type: application/json' -d "{\"text\": \"new songs: $(cut -c1-12 songs.sum)\"}" http://127.0.0.1:18521/hook
}

pack
announce
cat songs.sum
