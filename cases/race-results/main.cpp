// The results of a marathon: after each runner the list is sorted, and the announcer is told the place.
#include <algorithm>
#include <chrono>
#include <fstream>
#include <vector>

using Clock = std::chrono::steady_clock;

static double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Result {
    unsigned seconds, number;
    bool operator<(const Result &other) const { return seconds != other.seconds ? seconds < other.seconds : number < other.number; }
};

static std::size_t finish(std::vector<Result> &results, const Result &runner) {
    results.push_back(runner);
    std::sort(results.begin(), results.end());
    return std::lower_bound(results.begin(), results.end(), runner) - results.begin() + 1;
}

static std::size_t run_race(unsigned runners) {
    std::vector<Result> results;
    std::size_t places = 0;
    for (unsigned n = 0; n < runners; n++)
        places += finish(results, {7200 + n * 7919 % 14000, n});
    return places;
}

static double seconds_per_race(unsigned runners, double seconds, std::size_t &places) {
    auto start = Clock::now();
    int races = 0;
    for (; since(start) < seconds; races++)
        places += run_race(runners);
    return since(start) / races;
}

int main() {
    std::size_t places = 0;
    double all = seconds_per_race(1000, 2, places), tenth = seconds_per_race(100, 0.05, places);
    std::ofstream("truth") << "ms_per_race " << all * 1e3 << "\nms_with_a_tenth_of_the_runners " << tenth * 1e3 << "\nplaces " << places << "\n";
}
