// One baker kneads, the other bakes; trays of dough wait on a table with room for six.
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <fstream>
#include <mutex>
#include <sys/resource.h>
#include <thread>

using Clock = std::chrono::steady_clock;

static double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

static std::uint64_t work_dough(std::uint64_t dough, int strokes) {
    for (int n = 0; n < strokes; n++)
        dough = (dough ^ n) * 0x9E3779B97F4A7C15u + (dough >> 29);
    return dough;
}

class Table {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::uint64_t> trays;
    bool over = false;

  public:
    void put(std::uint64_t tray) {
        std::unique_lock lock(mutex);
        changed.wait(lock, [this] { return trays.size() < 6; });
        trays.push_back(tray);
        changed.notify_one();
    }
    bool take(std::uint64_t &tray) {
        std::unique_lock lock(mutex);
        changed.wait(lock, [this] { return over || !trays.empty(); });
        if (trays.empty())
            return false;
        tray = trays.front();
        trays.pop_front();
        changed.notify_one();
        return true;
    }
    void close() {
        std::lock_guard lock(mutex);
        over = true;
        changed.notify_one();
    }
};

static void knead(Table &table, Clock::time_point start) {
    for (unsigned tray = 0; since(start) < 1.9; tray++)
        table.put(work_dough(tray, 3'000'000));
    table.close();
}

static std::uint64_t bake(Table &table, unsigned &trays) {
    std::uint64_t tray, sum = 0;
    for (; table.take(tray); trays++)
        sum ^= work_dough(tray, 3'000'000);
    return sum;
}

int main() {
    Table table;
    unsigned trays = 0;
    auto start = Clock::now();
    std::thread kneader(knead, std::ref(table), start);
    std::uint64_t sum = bake(table, trays);
    kneader.join();
    rusage used;
    getrusage(RUSAGE_SELF, &used);
    double cpu = used.ru_utime.tv_sec + used.ru_stime.tv_sec + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
    std::ofstream("truth") << "cpus_used " << cpu / since(start) << "\ntrays " << trays << "\nsum " << sum << "\n";
}
