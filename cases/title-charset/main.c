/* Brings the titles of a media library, which come in several character sets, to UTF-8 and counts their letters. */
#include <iconv.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct title {
    const char *charset;
    const char *bytes;
};

static const struct title library[] = {
    {"ISO-8859-2", "\xAEivot je krajina"}, {"KOI8-R", "\xD7\xCF\xCA\xCE\xC1 \xC9 \xCD\xC9\xD2"},
    {"WINDOWS-1252", "\x93Na\xEFve\x94 caf\xE9"}, {"ISO-8859-7", "\xC7 \xE8\xDC\xEB\xE1\xF3\xF3\xE1"},
    {"CP437", "M\x81nchen"},
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static size_t to_utf8(const struct title *title, char *out, size_t room)
{
    iconv_t converter = iconv_open("UTF-8", title->charset);
    if (converter == (iconv_t)-1)
        return 0;
    char *in = (char *)title->bytes, *at = out;
    size_t left = strlen(in), space = room - 1;
    iconv(converter, &in, &left, &at, &space);
    *at = 0;
    iconv_close(converter);
    return at - out;
}

static int letters(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += (*text & 0xC0) != 0x80;
    return n;
}

int main(void)
{
    double start = now();
    long titles = 0, sum = 0;
    while (now() - start < 2) {
        char text[256];
        to_utf8(&library[titles % 5], text, sizeof text);
        sum += letters(text);
        titles++;
    }
    printf("%ld titles, %ld letters\n", titles, sum);
    return 0;
}
