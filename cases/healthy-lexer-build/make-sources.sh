#!/bin/sh
# Sources of a small lexer: tables made by awk, and units that use them.
set -eu
cat > Makefile <<'M'
units := words numbers dates roman units prices names tokens
CFLAGS := -O2 -Wall

lexer: $(units:%=%.o) main.o
	cc -o $@ $^

%.c: %.spec table.awk
	awk -f table.awk $< > $@

main.o: main.c lexer.h
$(units:%=%.o): lexer.h

check: lexer
	./lexer 3000000

.PHONY: check
M
cat > table.awk <<'A'
# Makes a scanner with one state for each line of a specification.
BEGIN { print "#include \"lexer.h\"" }
{ body = body sprintf("        case %d: state = (c * %d + %d) %% %d; sum += state ^ c; break;\n", NR - 1, $1, $2, $3) }
END {
    name = FILENAME; sub(/\.spec/, "", name)
    printf "unsigned scan_%s(const unsigned char *text, unsigned length)\n{\n    unsigned state = 0, sum = 0;\n", name
    printf "    for (unsigned i = 0; i < length; i++) {\n        unsigned c = text[i];\n        switch (state) {\n%s        default: state = 0;\n        }\n    }\n    return sum;\n}\n", body
}
A
for u in words numbers dates roman units prices names tokens; do
    awk -v u=$u 'BEGIN { srand(length(u)); for (i = 0; i < 220; i++) print int(rand() * 90) + 3, int(rand() * 90), 220 }' > $u.spec
    echo "unsigned scan_$u(const unsigned char *text, unsigned length);" >> lexer.h
done
cat > main.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include "lexer.h"

int main(int argc, char **argv)
{
    unsigned length = argc > 1 ? (unsigned)atoi(argv[1]) : 1000;
    unsigned char *text = malloc(length);
    for (unsigned i = 0; i < length; i++)
        text[i] = (unsigned char)(i * 2654435761u >> 24);
    unsigned sum = scan_words(text, length) ^ scan_numbers(text, length) ^ scan_dates(text, length) ^ scan_roman(text, length)
        ^ scan_units(text, length) ^ scan_prices(text, length) ^ scan_names(text, length) ^ scan_tokens(text, length);
    printf("%08x\n", sum);
    free(text);
    return 0;
}
C
