#!/bin/sh
# A repository with one sheet that was changed 240 times.
git init -q sheets && cd sheets || exit 1
awk 'BEGIN {
    for (n = 1; n <= 240; n++) {
        text = ""
        for (row = 1; row <= 40; row++) text = text row ";" (row * 7 + (row % 10 == n % 10 ? n : 0)) ";x\n"
        printf "commit refs/heads/main\ncommitter A <a@example.org> %d +0000\ndata 6\nchange\n", 1600000000 + n
        if (n == 1) printf "M 100644 inline .gitattributes\ndata 18\n*.sheet diff=sheet\n"
        printf "M 100644 inline costs.sheet\ndata %d\n%s\n", length(text), text
    }
}' | git fast-import --quiet
git symbolic-ref HEAD refs/heads/main
git reset -q --hard
git config diff.sheet.textconv "sh $CASE/sheet-to-text.sh"
