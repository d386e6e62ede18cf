// Counts the words that fit into the rows of a crossword, each row by std::async.
#include <chrono>
#include <fstream>
#include <future>
#include <string>
#include <sys/resource.h>
#include <vector>

using Clock = std::chrono::steady_clock;

static double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

static int fitting_words(const std::string &row) {
    int fitting = 0, run = 0;
    for (char c : row) {
        run = c == '#' ? 0 : run + 1;
        fitting += run == 3;
    }
    return fitting;
}

static int solve_crossword(const std::vector<std::string> &rows) {
    std::vector<std::future<int>> results;
    for (const std::string &row : rows)
        results.push_back(std::async(std::launch::async, fitting_words, std::cref(row)));
    int fitting = 0;
    for (auto &result : results)
        fitting += result.get();
    return fitting;
}

int main() {
    std::vector<std::string> rows;
    for (int y = 0; y < 21; y++) {
        std::string row;
        for (int x = 0; x < 21; x++)
            row += (x * 7 + y * 5) % 6 ? '.' : '#';
        rows.push_back(row);
    }
    auto start = Clock::now();
    long crosswords = 0, fitting = 0;
    for (; since(start) < 2; crosswords++)
        fitting += solve_crossword(rows);
    double took = since(start);
    long expected = 0, serial = 0;
    auto before = Clock::now();
    for (; since(before) < 0.05; serial++)
        for (const std::string &row : rows)
            expected += fitting_words(row);
    std::ofstream("truth") << "threads " << crosswords * 21 << "\nus_per_row " << took / crosswords / 21 * 1e6 << "\nus_without_threads "
                           << since(before) / serial / 21 * 1e6 << "\nfitting " << fitting + expected << "\n";
}
