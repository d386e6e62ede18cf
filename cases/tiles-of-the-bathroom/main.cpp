// Lays tiles on a floor and remembers which places are taken, in a hash set of positions.
#include <chrono>
#include <cstdio>
#include <functional>
#include <unordered_set>

struct Position {
    int x, y;
    bool operator==(const Position &other) const { return x == other.x && y == other.y; }
};

struct PositionHash {
    std::size_t operator()(const Position &p) const { return std::hash<int>()(p.x) ^ std::hash<int>()(p.y); }
};

class Floor {
    std::unordered_set<Position, PositionHash> taken;

public:
    __attribute__((noinline)) bool lay(Position p) { return taken.insert(p).second; }
    std::size_t longest() const {
        std::size_t most = 0;
        for (std::size_t b = 0; b < taken.bucket_count(); b++)
            if (taken.bucket_size(b) > most) most = taken.bucket_size(b);
        return most;
    }
};

int main() {
    using clock = std::chrono::steady_clock;
    const auto end = clock::now() + std::chrono::seconds(2);
    long laid = 0, again = 0;
    std::size_t longest = 0;
    while (clock::now() < end) {
        Floor floor;
        for (int x = 0; x < 256 && clock::now() < end; x++)
            for (int y = 0; y < 256; y++)
                floor.lay({x, y}) ? laid++ : again++;
        longest = floor.longest();
    }
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "laid %ld\nagain %ld\nlongest_bucket %zu\n", laid, again, longest);
    return fclose(truth);
}
