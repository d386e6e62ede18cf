// At which share of open cells does water find its way through a porous rock? Random rocks are filled, and the cells
// that hang together are joined (union-find).
#include <chrono>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

using Clock = std::chrono::steady_clock;

class Rock {
public:
    explicit Rock(int size) : size(size), open(size * size), parent(size * size + 2) {}

    __attribute__((noinline)) void fill(double share, std::random_device &random) {
        std::uniform_real_distribution<float> uniform(0, 1);
        for (size_t i = 0; i < open.size(); i++) open[i] = uniform(random) < share;
    }

    bool lets_water_through() {
        std::iota(parent.begin(), parent.end(), 0);
        const int top = size * size, bottom = top + 1;
        for (int y = 0; y < size; y++)
            for (int x = 0; x < size; x++) {
                int i = y * size + x;
                if (!open[i]) continue;
                if (y == 0) join(i, top);
                if (y == size - 1) join(i, bottom);
                if (x > 0 && open[i - 1]) join(i, i - 1);
                if (y > 0 && open[i - size]) join(i, i - size);
            }
        return root(top) == root(bottom);
    }

private:
    int size;
    std::vector<char> open;
    std::vector<int> parent;

    int root(int i) {
        while (parent[i] != i) i = parent[i] = parent[parent[i]];
        return i;
    }
    void join(int a, int b) { parent[root(a)] = root(b); }
};

int main() {
    auto start = Clock::now();
    std::random_device random;
    Rock rock(256);
    double filling = 0;
    int rocks = 0, wet = 0;
    while (Clock::now() - start < std::chrono::seconds(2)) {
        auto before = Clock::now();
        rock.fill(0.55 + rocks % 16 * 0.005, random);
        filling += std::chrono::duration<double>(Clock::now() - before).count();
        wet += rock.lets_water_through();
        rocks++;
    }
    double all = std::chrono::duration<double>(Clock::now() - start).count();
    printf("%d of %d rocks let water through; %.2f of the time to fill them\n", wet, rocks, filling / all);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "filling %.3f\n", filling / all);
    return fclose(truth);
}
