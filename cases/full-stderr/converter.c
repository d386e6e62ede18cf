// Warns of every paragraph of a document.
#include <stdio.h>

static void warn(const char *document, int paragraph) {
    fprintf(stderr, "%s: paragraph %d: font is missing, using another\n", document, paragraph);
}

int main(int count, char **words) {
    for (int paragraph = 0; paragraph < 5000; paragraph++) warn(count > 1 ? words[1] : "", paragraph);
    puts("done");
}
