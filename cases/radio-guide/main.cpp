// Four listeners search the guide of a radio station. The guide never changes while they do.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

using Clock = std::chrono::steady_clock;

static double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Programme {
    std::uint32_t minute, genre, host;
};

struct Guide {
    std::vector<Programme> programmes;
    std::shared_mutex mutex;
};

static std::atomic<std::int64_t> queued_us, searches;

static int count_programmes(const Guide &guide, std::uint32_t genre, std::uint32_t host) {
    int found = 0;
    for (const Programme &p : guide.programmes)
        found += p.genre == genre && (p.host ^ p.minute * 7) % 97 == host % 97;
    return found;
}

static int search_guide(Guide &guide, std::uint32_t genre, std::uint32_t host) {
    auto before = Clock::now();
    std::unique_lock lock(guide.mutex);
    queued_us += std::int64_t(since(before) * 1e6);
    return count_programmes(guide, genre, host);
}

static void listen(Guide &guide, unsigned listener, Clock::time_point start) {
    unsigned hits = 0;
    for (unsigned n = 0; since(start) < 2; n++, searches++)
        hits += search_guide(guide, (n + listener) % 12, n * 31);
    if (hits == 0)
        std::ofstream("nothing-found") << listener;
}

int main() {
    Guide guide;
    for (std::uint32_t n = 0; n < 400000; n++)
        guide.programmes.push_back({n * 5, n * 7919 % 12, n * 104729 % 500});
    auto start = Clock::now();
    std::vector<std::thread> listeners;
    for (unsigned n = 0; n < 4; n++)
        listeners.emplace_back(listen, std::ref(guide), n, start);
    for (auto &listener : listeners)
        listener.join();
    std::ofstream("truth") << "queued_per_listener " << queued_us / 4e6 / since(start) << "\nsearches " << searches << "\n";
}
