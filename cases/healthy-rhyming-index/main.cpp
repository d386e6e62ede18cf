// Looks up rhymes in a mapped index: words in the order of their ends, searched by halves.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

struct Entry { char word[12]; };

static std::string turned(unsigned number) {
    std::string word;
    for (int n = 0; n < 9; n++, number = number * 1103515245 + 12345) word += "aeioulmnrstdkg"[number / 65536 % 14];
    return word;
}

static void write_index(const char *name, unsigned words) {
    std::vector<Entry> all(words);
    for (unsigned n = 0; n < words; n++) std::memcpy(all[n].word, turned(n * 2654435761u).c_str(), 10);
    std::sort(all.begin(), all.end(), [](const Entry &a, const Entry &b) { return std::strcmp(a.word, b.word) < 0; });
    FILE *out = std::fopen(name, "w");
    std::fwrite(all.data(), sizeof(Entry), words, out);
    std::fclose(out);
}

static long rhymes(const Entry *first, const Entry *last, const std::string &end) {
    auto before = [&](const Entry &entry, int) { return std::strncmp(entry.word, end.c_str(), end.size()) < 0; };
    auto behind = [&](const Entry &entry, int) { return std::strncmp(entry.word, end.c_str(), end.size()) <= 0; };
    return std::lower_bound(first, last, 0, behind) - std::lower_bound(first, last, 0, before);
}

int main() {
    const unsigned words = 200000;
    write_index("rhymes.idx", words);
    int file = open("rhymes.idx", O_RDONLY);
    auto *index = static_cast<const Entry *>(mmap(nullptr, words * sizeof(Entry), PROT_READ, MAP_PRIVATE, file, 0));
    auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    long found = 0;
    unsigned asked = 0;
    while (std::chrono::steady_clock::now() < end) {
        for (int n = 0; n < 1000; n++) found += rhymes(index, index + words, turned(asked++).substr(0, 3));
    }
    FILE *out = std::fopen("found.txt", "w");
    std::fprintf(out, "%u questions, %ld rhymes\n", asked, found);
    std::fclose(out);
}
