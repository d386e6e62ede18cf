// Writes knitting patterns, stitch by stitch.
#include <chrono>
#include <cstdio>
#include <fstream>

using Clock = std::chrono::steady_clock;

static double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

static void write_row(std::ofstream &pattern, unsigned row) {
    pattern << "row " << row << ':';
    for (unsigned stitch = 0; stitch < 60; stitch++)
        pattern << ' ' << ((row * stitch) % 7 < 4 ? "k" : "p") << stitch % 3 + 1;
    pattern << '\n';
}

int main() {
    auto start = Clock::now();
    unsigned rows = 0;
    double writing = 0;
    while (since(start) < 2) {
        // Nothing may be lost if the program is stopped.
        std::ofstream pattern("pattern.txt");
        pattern << std::unitbuf;
        auto before = Clock::now();
        for (unsigned row = 0; row < 200; row++, rows++)
            write_row(pattern, row);
        writing += since(before);
    }
    std::remove("pattern.txt");
    std::ofstream("truth") << "writing " << writing / since(start) << "\nrows " << rows << "\n";
}
