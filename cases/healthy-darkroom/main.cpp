// A darkroom with as many enlargers as the computer has CPUs; eight photographers take turns.
#include <chrono>
#include <cstdint>
#include <fstream>
#include <semaphore.h>
#include <sys/resource.h>
#include <thread>
#include <vector>

using Clock = std::chrono::steady_clock;

static double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

static sem_t enlargers;

static std::uint32_t develop(std::uint32_t seed) {
    std::vector<std::uint16_t> paper(300 * 200);
    for (int pass = 0; pass < 60; pass++)
        for (auto &dot : paper) {
            seed = seed * 1664525 + 1013904223;
            dot = std::uint16_t(dot / 2 + (seed >> 17));
        }
    return paper[seed % paper.size()];
}

static void photograph(std::uint32_t photographer, Clock::time_point start, std::uint64_t &prints, std::uint32_t &sum) {
    while (since(start) < 1.9) {
        sem_wait(&enlargers);
        sum ^= develop(photographer + std::uint32_t(prints++) * 8);
        sem_post(&enlargers);
    }
}

int main() {
    unsigned cpus = std::thread::hardware_concurrency();
    sem_init(&enlargers, 0, cpus);
    std::vector<std::uint64_t> prints(8 * 16);
    std::vector<std::uint32_t> sums(8 * 16);
    std::vector<std::thread> photographers;
    auto start = Clock::now();
    for (unsigned n = 0; n < 8; n++)
        photographers.emplace_back(photograph, n, start, std::ref(prints[n * 16]), std::ref(sums[n * 16]));
    for (auto &photographer : photographers)
        photographer.join();
    double took = since(start);
    rusage used;
    getrusage(RUSAGE_SELF, &used);
    double cpu = used.ru_utime.tv_sec + used.ru_stime.tv_sec + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
    std::uint64_t all = 0;
    std::uint32_t sum = 0;
    for (unsigned n = 0; n < 8; n++)
        all += prints[n * 16], sum ^= sums[n * 16];
    std::ofstream("truth") << "cpus_used " << cpu / took << "\nprints " << all << "\nsum " << sum << "\n";
}
