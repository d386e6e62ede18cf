// Puts a map together from tiles. Tiles stay in memory for half a second, in case a neighbour needs them.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <fstream>
#include <memory>
#include <new>
#include <thread>
#include <vector>

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr size_t tile_bytes = 6 << 20;

struct Tile {
    int number;
    Clock::time_point expires;
    std::unique_ptr<uint32_t[]> dots;
};

class TileCache {
public:
    Tile &make(int number)
    {
        for (;;) {
            drop_expired();
            try {
                std::unique_ptr<uint32_t[]> dots(new uint32_t[tile_bytes / 4]);
                tiles_.push_back({number, Clock::now() + milliseconds(500), std::move(dots)});
                return tiles_.back();
            } catch (const std::bad_alloc &) {
                wait_for_memory();
            }
        }
    }
    double waited() const { return waited_; }
    int waits() const { return waits_; }

private:
    void drop_expired()
    {
        while (!tiles_.empty() && tiles_.front().expires < Clock::now())
            tiles_.pop_front();
    }
    void wait_for_memory()
    {
        auto t = Clock::now();
        std::this_thread::sleep_for(milliseconds(35));
        waited_ += std::chrono::duration<double>(Clock::now() - t).count();
        waits_++;
    }

    std::deque<Tile> tiles_;
    double waited_ = 0;
    int waits_ = 0;
};

static uint64_t draw(Tile &tile)
{
    uint32_t x = tile.number;
    uint64_t sum = 0;
    for (size_t i = 0; i < tile_bytes / 4; i++) {
        x = x * 1664525 + 1013904223;
        tile.dots[i] = x;
        sum += x & 255;
    }
    return sum;
}

int main()
{
    auto start = Clock::now();
    TileCache cache;
    uint64_t sum = 0;
    int number = 0;
    while (Clock::now() - start < milliseconds(2000))
        sum += draw(cache.make(number++));
    double all = std::chrono::duration<double>(Clock::now() - start).count();
    std::printf("%d tiles, %llu\n", number, static_cast<unsigned long long>(sum));
    std::ofstream("truth") << "share " << cache.waited() / all << "\nwaits " << cache.waits() << "\n";
}
