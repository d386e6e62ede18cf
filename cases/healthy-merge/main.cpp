// Merges sixteen sorted lists of bookings into one with a heap, checks the result, and starts with the next sixteen.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <queue>
#include <vector>

using Clock = std::chrono::steady_clock;

struct Booking {
    std::uint64_t time;
    std::uint32_t account, cents;
};

using Run = std::vector<Booking>;

static double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

static void make_runs(std::vector<Run> &runs, std::uint64_t seed) {
    for (std::size_t n = 0; n < runs.size(); n++) {
        std::uint64_t time = seed + n;
        for (Booking &booking : runs[n]) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            time += seed >> 54;
            booking = {time, std::uint32_t(seed >> 33), std::uint32_t(seed >> 40)};
        }
    }
}

static void merge_runs(const std::vector<Run> &runs, Run &merged) {
    struct Head {
        const Booking *at, *end;
        bool operator<(const Head &other) const { return at->time > other.at->time; }
    };
    std::priority_queue<Head> heads;
    for (const Run &run : runs) {
        if (!run.empty()) heads.push({run.data(), run.data() + run.size()});
    }
    merged.clear();
    while (!heads.empty()) {
        Head head = heads.top();
        heads.pop();
        merged.push_back(*head.at);
        if (++head.at != head.end) heads.push(head);
    }
}

static bool in_order(const Run &merged) {
    return std::is_sorted(merged.begin(), merged.end(), [](const Booking &a, const Booking &b) { return a.time < b.time; });
}

int main() {
    std::vector<Run> runs(16, Run(20'000));
    Run merged;
    merged.reserve(16 * 20'000);
    auto start = Clock::now();
    long rounds = 0, good = 0;
    double merging = 0;
    while (since(start) < 2) {
        make_runs(runs, rounds);
        auto before = Clock::now();
        merge_runs(runs, merged);
        merging += since(before);
        good += in_order(merged);
        rounds++;
    }
    std::ofstream("truth") << "rounds " << rounds << "\nin_order " << good << "\nmerging " << merging / since(start)
        << "\nns_per_booking " << 1e9 * merging / rounds / merged.size() << "\n";
}
