// Prepares the height tiles of a flight for the next day; a background job that should not disturb anybody.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sys/resource.h>
#include <time.h>
#include <vector>

using Clock = std::chrono::steady_clock;

class Tile {
public:
    explicit Tile(int number) : number_(number), heights_(64 * 64) {}

    void smooth()
    {
        for (int y = 1; y < 63; y++)
            for (int x = 1; x < 63; x++)
                heights_[y * 64 + x] = (height(x - 1, y) + height(x + 1, y) + height(x, y - 1) + height(x, y + 1)) / 4 + std::sin(number_ + x * 0.1);
    }

    double height(int x, int y) const { return heights_[y * 64 + x]; }

private:
    int number_;
    std::vector<double> heights_;
};

static double cpu_seconds()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static double prepare(int number)
{
    Tile tile(number);
    for (int i = 0; i < 1; i++)
        tile.smooth();
    return tile.height(32, 32);
}

static void stay_in_background()
{
    setpriority(PRIO_PROCESS, 0, 19);
}

int main()
{
    stay_in_background();
    auto start = Clock::now();
    double cpu = cpu_seconds(), sum = 0;
    int tiles = 0;
    while (Clock::now() - start < std::chrono::milliseconds(1700))
        sum += prepare(tiles++);
    double wall = std::chrono::duration<double>(Clock::now() - start).count();
    std::ofstream("truth") << "share " << 1 - (cpu_seconds() - cpu) / wall << "\n";
    std::printf("%d tiles, %f\n", tiles, sum);
}
