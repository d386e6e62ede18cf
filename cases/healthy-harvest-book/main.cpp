// Two scales weigh apples, and enter each crate into one book behind a mutex; weighing takes far longer than entering.
#include <chrono>
#include <cstdint>
#include <fstream>
#include <mutex>
#include <sys/resource.h>
#include <thread>

using Clock = std::chrono::steady_clock;

static double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Book {
    std::mutex mutex;
    std::uint64_t crates = 0, grams = 0;
    double queued = 0;

    void enter(std::uint64_t weight) {
        auto before = Clock::now();
        std::lock_guard lock(mutex);
        queued += since(before);
        crates++;
        grams += weight;
    }
};

static std::uint64_t weigh(std::uint64_t crate) {
    for (int apple = 0; apple < 30000; apple++)
        crate = crate * 6364136223846793005u + (crate >> 33) + apple;
    return 18000 + crate % 2000;
}

static void run_scale(Book &book, unsigned scale, Clock::time_point start) {
    for (std::uint64_t crate = scale; since(start) < 1.9; crate += 2)
        book.enter(weigh(crate));
}

int main() {
    Book book;
    auto start = Clock::now();
    std::thread second(run_scale, std::ref(book), 1, start);
    run_scale(book, 0, start);
    second.join();
    rusage used;
    getrusage(RUSAGE_SELF, &used);
    double cpu = used.ru_utime.tv_sec + used.ru_stime.tv_sec + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
    std::ofstream("truth") << "cpus_used " << cpu / since(start) << "\nqueued_per_scale " << book.queued / 2 / since(start) << "\ncrates "
                           << book.crates << "\ngrams " << book.grams << "\n";
}
