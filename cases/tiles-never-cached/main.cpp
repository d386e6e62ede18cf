// Shows a tour on a map again and again. Tiles are rendered, and kept in a cache.
#include <chrono>
#include <fstream>
#include <list>
#include <map>
#include <vector>

using Clock = std::chrono::steady_clock;
using Tile = std::vector<unsigned char>;

static double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

static Tile render_tile(int number) {
    Tile tile(128 * 128);
    for (int y = 0; y < 128; y++)
        for (int x = 0; x < 128; x++) {
            double re = 0, im = 0, height = 0;
            while (re * re + im * im < 4 && height < 40) {
                double next = re * re - im * im + x / 90.0 - 1 + number * 1e-4;
                im = 2 * re * im + y / 90.0 - 0.7;
                re = next;
                height++;
            }
            tile[y * 128 + x] = static_cast<unsigned char>(height);
        }
    return tile;
}

struct Cache {
    std::size_t places;
    std::map<int, Tile> tiles{};
    std::list<int> oldest_first{};
    long hits = 0, misses = 0;
    double rendering = 0;

    const Tile &tile(int number) {
        auto found = tiles.find(number);
        if (found != tiles.end()) {
            hits++;
            oldest_first.remove(number);
            oldest_first.push_back(number);
            return found->second;
        }
        misses++;
        if (tiles.size() == places) {
            tiles.erase(oldest_first.front());
            oldest_first.pop_front();
        }
        auto before = Clock::now();
        Tile &tile = tiles[number] = render_tile(number);
        rendering += since(before);
        oldest_first.push_back(number);
        return tile;
    }
};

static unsigned show(const Tile &tile) {
    unsigned sum = 0;
    for (unsigned char height : tile)
        sum += height;
    return sum;
}

int main() {
    Cache cache{48};
    unsigned shown = 0;
    auto start = Clock::now();
    for (int step = 0; since(start) < 2; step++)
        shown += show(cache.tile(step % 50));
    double wall = since(start);
    std::ofstream("truth") << "rendering " << cache.rendering / wall << "\nhits " << cache.hits << "\nmisses " << cache.misses << "\nshown " << shown << "\n";
}
