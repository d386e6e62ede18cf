#!/bin/sh
# A repository with 1600 versions of twelve chapters, as one loose pack without deltas.
git init -q novel && cd novel || exit 1
git config pack.threads 2
awk 'BEGIN {
    for (n = 1; n <= 1600; n++) {
        text = ""
        for (row = 1; row <= 260; row++) text = text "In chapter " n % 12 " line " row " tells " (row * 7919 + (row % 25 == n % 25 ? n * 31 : 0)) % 65521 " tales\n"
        printf "commit refs/heads/main\ncommitter A <a@example.org> %d +0000\ndata 7\nchapter\n", 1600000000 + n
        printf "M 100644 inline chapter-%d.txt\ndata %d\n%s\n", n % 12, length(text), text
    }
}' | git fast-import --quiet --depth=0
git symbolic-ref HEAD refs/heads/main
