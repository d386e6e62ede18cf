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
};

static double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

__attribute__((noinline)) void scan_page(Page &page, uint32_t number) {
    uint32_t dot = number * 2654435761u;
    uint32_t *dots = page.dots.data();
    for (size_t n = 0, count = page.dots.size(); n < count; n++) {
        dots[n] = dot;
        dot += 0x01010101;
    }
}

// Column by column of the scan: two dots that follow each other are 16 KB apart.
__attribute__((noinline)) void rotate_page(Page &from, Page &to) {
    const uint32_t *source = from.dots.data();
    uint32_t *target = to.dots.data();
    const size_t width = from.width, height = from.height;
    for (size_t x = 0; x < width; x++)
        for (size_t y = 0; y < height; y++)
            target[x * height + height - 1 - y] = source[y * width + x];
}

__attribute__((noinline)) uint32_t page_sum(const Page &page) {
    uint32_t sum = 0;
    const uint32_t *dots = page.dots.data();
    for (size_t n = 0, count = page.dots.size(); n < count; n++)
        sum += dots[n];
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
