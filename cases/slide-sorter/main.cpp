// Sorts slides by their brightness: each is decoded to a picture of its own, measured and let go.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <malloc.h>
#include <memory>
#include <vector>

using Clock = std::chrono::steady_clock;

struct Picture {
    int width, height;
    std::unique_ptr<uint8_t[]> pixel;
    Picture(int w, int h) : width(w), height(h), pixel(new uint8_t[size_t(w) * h]) {}
};

struct Slide {
    uint32_t seed;
    int width, height;
};

static Picture decode(const Slide &s)
{
    Picture p(s.width, s.height);
    uint32_t x = s.seed;
    // the previews have one dot for each block of the slide
    for (int y = 0; y < p.height; y += 8)
        for (int c = 0; c < p.width; c += 64) {
            x = x * 1664525 + 1013904223;
            p.pixel[size_t(y) * p.width + c] = x >> 24;
        }
    return p;
}

static unsigned brightness(const Picture &p)
{
    unsigned sum = 0, n = 0;
    for (int y = 0; y < p.height; y += 8)
        for (int c = 0; c < p.width; c += 64) {
            sum += p.pixel[size_t(y) * p.width + c];
            n++;
        }
    return sum / std::max(n, 1u);
}

int main()
{
    // as the manual says: give memory back at once
    mallopt(M_MMAP_THRESHOLD, 16 * 1024);
    auto end = Clock::now() + std::chrono::milliseconds(2000);
    std::vector<unsigned> tray(256);
    size_t slides = 0;
    uint32_t seed = 1;
    while (Clock::now() < end) {
        seed = seed * 1664525 + 1013904223;
        Slide s{seed, 320 + int(seed >> 28) * 16, 240 + int(seed >> 27 & 15) * 8};
        tray[brightness(decode(s)) & 255]++;
        slides++;
    }
    auto top = std::max_element(tray.begin(), tray.end()) - tray.begin();
    std::printf("%zu slides, most have %td\n", slides, top);
}
