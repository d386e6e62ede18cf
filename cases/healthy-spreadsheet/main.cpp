// Recalculates a budget: 200,000 cells, each after those that it needs.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <vector>

using Clock = std::chrono::steady_clock;

static double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

enum class Formula : uint8_t { value, sum, product, interest };

struct Cell {
    Formula formula;
    uint32_t first, second;
    double value;
};

class Sheet {
    std::vector<Cell> cells;
    std::vector<uint32_t> order;

public:
    explicit Sheet(uint32_t count) {
        uint32_t dice = 9;
        for (uint32_t n = 0; n < count; n++) {
            dice = dice * 1103515245 + 12345;
            if (n < 1000) {
                cells.push_back({Formula::value, 0, 0, 100.0 + n});
                continue;
            }
            auto formula = static_cast<Formula>(1 + (dice >> 16) % 3);
            uint32_t back = 1 + (dice >> 8) % 900;
            cells.push_back({formula, n - back, n - 1 - back / 2, 0});
        }
        sort_cells();
    }

    void set(uint32_t cell, double value) { cells[cell % 1000].value = value; }

    // Each cell after the cells that it needs (Kahn's algorithm).
    void sort_cells() {
        std::vector<uint32_t> open(cells.size(), 0), start(cells.size() + 1, 0), users;
        for (auto &c : cells)
            if (c.formula != Formula::value)
                start[c.first + 1]++, start[c.second + 1]++;
        for (size_t n = 1; n < start.size(); n++)
            start[n] += start[n - 1];
        users.resize(start.back());
        auto at = start;
        for (uint32_t n = 0; n < cells.size(); n++)
            if (cells[n].formula != Formula::value) {
                users[at[cells[n].first]++] = users[at[cells[n].second]++] = n;
                open[n] = 2;
            }
        order.reserve(cells.size());
        for (uint32_t n = 0; n < cells.size(); n++)
            if (open[n] == 0)
                order.push_back(n);
        for (size_t next = 0; next < order.size(); next++)
            for (uint32_t u = start[order[next]]; u < start[order[next] + 1]; u++)
                if (--open[users[u]] == 0)
                    order.push_back(users[u]);
    }

    __attribute__((noinline)) double recalculate() {
        for (uint32_t n : order) {
            Cell &c = cells[n];
            double a = cells[c.first].value, b = cells[c.second].value;
            switch (c.formula) {
            case Formula::value: break;
            case Formula::sum: c.value = std::fmod(a + b, 1e6); break;
            case Formula::product: c.value = std::fmod(a * (1 + b / 1e6), 1e6); break;
            case Formula::interest: c.value = a * std::pow(1.02, std::fmod(b, 10)); break;
            }
        }
        return cells.back().value;
    }
};

int main() {
    auto start = Clock::now();
    Sheet sheet(200000);
    double ready = since(start), result = 0;
    uint32_t rounds = 0;
    while (since(start) < 2) {
        sheet.set(rounds, rounds * 1.5);
        result += sheet.recalculate();
        rounds++;
    }
    std::ofstream("truth") << "preparing " << ready / since(start) << "\nrounds " << rounds << "\nresult " << result << "\n";
}
