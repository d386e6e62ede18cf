// Encodes the films of a folder, two at a time and in the order of their names. The longest is the last one: one thread
// works on it alone while the other has nothing left to do.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <fstream>
#include <functional>
#include <thread>
#include <vector>

using Clock = std::chrono::steady_clock;

struct Film {
    double seconds_of_work;
};

static double cpu() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void encode_film(const Film &film) {
    volatile unsigned picture = 1;
    for (double start = cpu(); cpu() - start < film.seconds_of_work;)
        for (int n = 0; n < 100000; n++) picture = picture * 31 + n;
}

static std::atomic<size_t> next{0};
static double done_at[2];

static void encoder(const std::vector<Film> &films, int number, Clock::time_point start) {
    for (size_t n; (n = next++) < films.size();) encode_film(films[n]);
    done_at[number] = std::chrono::duration<double>(Clock::now() - start).count();
}

int main() {
    std::vector<Film> films(20, {0.02});
    films.push_back({1.6});
    auto start = Clock::now();
    std::thread other(encoder, std::cref(films), 1, start);
    encoder(films, 0, start);
    other.join();
    double first = std::min(done_at[0], done_at[1]), last = std::max(done_at[0], done_at[1]);
    std::ofstream truth("truth");
    truth << "one_left_after " << first << "\nall_done_after " << last << "\n";
    truth << "alone " << (last - first) / last << "\n";
}
