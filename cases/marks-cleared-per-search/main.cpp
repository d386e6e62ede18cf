// A game with a large map looks for short ways between neighbours. Each search begins by clearing the marks of all
// sixteen million fields, and then visits a few hundred of them.
#include <chrono>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <queue>
#include <vector>

using Clock = std::chrono::steady_clock;
constexpr int side = 4096;

static double seconds(Clock::duration took) { return std::chrono::duration<double>(took).count(); }

class WayFinder {
    std::vector<std::uint8_t> walls, marks;

public:
    double clearing = 0, walking = 0;
    long visited = 0;

    WayFinder() : walls(side * side), marks(side * side) {
        for (int n = 0; n < side * side; n++) walls[n] = n * 2654435761u >> 24 < 40;
    }

    void clear_marks() { std::memset(marks.data(), 0, marks.size()); }

    int walk(int from, int to) {
        std::queue<std::pair<int, int>> open;
        open.push({from, 0});
        marks[from] = 1;
        while (!open.empty()) {
            auto [at, steps] = open.front();
            open.pop();
            visited++;
            if (at == to) return steps;
            for (int next : {at - 1, at + 1, at - side, at + side}) {
                if (next < 0 || next >= side * side || marks[next] || walls[next]) continue;
                marks[next] = 1;
                if (steps < 40) open.push({next, steps + 1});
            }
        }
        return -1;
    }

    int shortest_way(int from, int to) {
        auto start = Clock::now();
        clear_marks();
        auto cleared = Clock::now();
        int steps = walk(from, to);
        clearing += seconds(cleared - start);
        walking += seconds(Clock::now() - cleared);
        return steps;
    }
};

int main() {
    WayFinder finder;
    auto start = Clock::now();
    long ways = 0, steps = 0;
    while (seconds(Clock::now() - start) < 2) {
        int from = (ways * 7919 % 4000 + 40) * side + ways * 31 % 4000 + 40;
        steps += finder.shortest_way(from, from + 9 * side + 7);
        ways++;
    }
    double wall = seconds(Clock::now() - start);
    std::ofstream("truth") << "clearing " << finder.clearing / wall << "\nwalking " << finder.walking / wall << "\nways " << ways
        << "\nfields_per_way " << finder.visited / ways << "\nsteps " << steps << "\n";
}
