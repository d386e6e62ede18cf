// Multiplies the stiffness of a bridge with many cases of load.
#include <chrono>
#include <ctime>
#include <fstream>
#include <thread>
#include <vector>

using Clock = std::chrono::steady_clock;
constexpr int SIZE = 160;
using Matrix = std::vector<double>;

static double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

static Matrix multiply(const Matrix &a, const Matrix &b) {
    Matrix result(SIZE * SIZE);
    for (int row = 0; row < SIZE; row++)
        for (int k = 0; k < SIZE; k++) {
            double factor = a[row * SIZE + k];
            for (int column = 0; column < SIZE; column++)
                result[row * SIZE + column] += factor * b[k * SIZE + column];
        }
    return result;
}

static void compute_loads(const Matrix &stiffness, int thread, Clock::time_point start, long &cases, double &highest) {
    long done = 0;
    double most = 0;
    while (since(start) < 2) {
        Matrix load(SIZE * SIZE);
        for (int i = 0; i < SIZE * SIZE; i++)
            load[i] = (i * 31 + done * 7 + thread) % 100 / 100.0;
        most = std::max(most, multiply(stiffness, load)[SIZE * SIZE / 2]);
        done++;
    }
    cases = done;
    highest = most;
}

int main() {
    Matrix stiffness(SIZE * SIZE);
    for (int i = 0; i < SIZE * SIZE; i++)
        stiffness[i] = i % (SIZE + 1) == 0 ? 4 : 1.0 / (1 + i % SIZE);
    unsigned threads = std::max(1u, std::thread::hardware_concurrency());
    std::vector<long> cases(threads);
    std::vector<double> highest(threads);
    std::vector<std::thread> running;
    auto start = Clock::now();
    std::clock_t cpu = std::clock();
    for (unsigned i = 0; i < threads; i++)
        running.emplace_back(compute_loads, std::cref(stiffness), i, start, std::ref(cases[i]), std::ref(highest[i]));
    for (auto &thread : running)
        thread.join();
    double wall = since(start), used = double(std::clock() - cpu) / CLOCKS_PER_SEC;
    std::ofstream("truth") << "cpus " << used / wall << "\ncases " << cases[0] << "\nhighest " << highest[0] << "\n";
}
