// One thread per CPU searches an index behind a reader-writer lock; now and then one of them adds an entry. The lock
// is held for a moment only.
#include <chrono>
#include <ctime>
#include <fstream>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

using Clock = std::chrono::steady_clock;

struct Index {
    std::shared_mutex lock;
    std::vector<unsigned> entries = std::vector<unsigned>(2000, 1);
};

static unsigned look_up(Index &index, unsigned question) {
    std::shared_lock held(index.lock);
    return index.entries[question % index.entries.size()];
}

static unsigned search(Index &index, unsigned question) {
    unsigned best = look_up(index, question);
    for (int n = 0; n < 20000; n++) best = best * 31 + (n ^ question);
    return best;
}

static void add_entry(Index &index, unsigned entry) {
    std::unique_lock held(index.lock);
    index.entries[entry % index.entries.size()] = entry;
}

static void answer(Index &index, unsigned question, Clock::time_point until, long &answers) {
    for (; Clock::now() < until; answers++) {
        question = search(index, question);
        if (answers % 500 == 499) add_entry(index, question);
    }
}

int main() {
    Index index;
    unsigned cpus = std::thread::hardware_concurrency();
    std::vector<long> answers(cpus * 16);
    std::vector<std::thread> threads;
    auto until = Clock::now() + std::chrono::seconds(2);
    for (unsigned n = 0; n < cpus; n++)
        threads.emplace_back(answer, std::ref(index), n, until, std::ref(answers[n * 16]));
    for (auto &thread : threads) thread.join();
    long sum = 0;
    for (long count : answers) sum += count;
    std::ofstream("truth") << "cpus " << double(std::clock()) / CLOCKS_PER_SEC / 2 << "\nanswers " << sum << "\n";
}
