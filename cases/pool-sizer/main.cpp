// Scales thumbnails: each request decides anew over how many workers it would spread its rows.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <unistd.h>
#include <vector>

using Clock = std::chrono::steady_clock;

struct Image {
    int width, height;
    std::vector<unsigned char> dots;
};

class Planner {
public:
    int workers_for(const Image &image) const
    {
        long cpus = sysconf(_SC_NPROCESSORS_ONLN);
        long wanted = static_cast<long>(image.width) * image.height / (1 << 18);
        return static_cast<int>(std::clamp(wanted, 1L, cpus));
    }
};

static Image icon(unsigned seed)
{
    Image image{16, 16, std::vector<unsigned char>(256)};
    for (auto &dot : image.dots)
        dot = static_cast<unsigned char>((seed = seed * 1664525 + 1013904223) >> 24);
    return image;
}

static long shrink(const Image &image, int first, int step)
{
    long sum = 0;
    for (int row = first * 2; row < image.height; row += step * 2)
        for (int x = 0; x < image.width; x += 2)
            sum += image.dots[row * image.width + x];
    return sum;
}

int main()
{
    std::vector<Image> icons;
    for (unsigned i = 0; i < 200; i++)
        icons.push_back(icon(i));
    Planner planner;
    auto start = Clock::now();
    long requests = 0, sum = 0;
    while (Clock::now() - start < std::chrono::seconds(2)) {
        const Image &image = icons[requests % icons.size()];
        int workers = planner.workers_for(image);
        for (int w = 0; w < workers; w++)
            sum += shrink(image, w, workers);
        requests++;
    }
    std::printf("%ld icons, %ld\n", requests, sum);
}
