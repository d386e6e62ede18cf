// Turns scanned pages by a quarter, because the scanner reads them sideways.
#include <chrono>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

using Clock = std::chrono::steady_clock;

struct Page {
    int width = 0, height = 0;
    std::vector<uint32_t> dots;
    Page(int w, int h) : width(w), height(h), dots(size_t(w) * h) {}
    uint32_t &at(int x, int y) { return dots[size_t(y) * width + x]; }
};

static double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

__attribute__((noinline)) void scan_page(Page &page, uint32_t number) {
    uint32_t dot = number * 2654435761u;
    for (auto &d : page.dots) {
        d = dot;
        dot += 0x01010101;
    }
}

// Column by column of the target, which is far apart in both memory and cache.
__attribute__((noinline)) void rotate_page(Page &from, Page &to) {
    for (int x = 0; x < from.width; x++)
        for (int y = 0; y < from.height; y++)
            to.at(from.height - 1 - y, x) = from.at(x, y);
}

__attribute__((noinline)) uint32_t page_sum(const Page &page) {
    uint32_t sum = 0;
    for (auto d : page.dots)
        sum += d;
    return sum;
}

int main() {
    const int width = 4096, height = 4096;
    Page from(width, height), to(height, width);
    auto start = Clock::now();
    double rotating = 0;
    uint32_t pages = 0, sums = 0;
    while (since(start) < 2) {
        scan_page(from, pages++);
        auto before = Clock::now();
        rotate_page(from, to);
        rotating += since(before);
        sums ^= page_sum(to);
    }
    std::ofstream("truth") << "rotating " << rotating / since(start) << "\npages " << pages << "\nsum " << sums << "\n";
}
