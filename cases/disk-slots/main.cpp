// Four threads store parts of uploads. A semaphore keeps them from writing at the same time.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

using Clock = std::chrono::steady_clock;

// As many may hold a slot as there are slots; the others wait.
class Slots {
    std::mutex lock;
    std::condition_variable freed;
    int open;

public:
    explicit Slots(int count) : open(count) {}
    void acquire() {
        std::unique_lock<std::mutex> hold(lock);
        freed.wait(hold, [this] { return open > 0; });
        open--;
    }
    void release() {
        std::lock_guard<std::mutex> hold(lock);
        open++;
        freed.notify_one();
    }
};

static Slots disk_slot(1);
static std::atomic<long> waited_us, synced_us;
static std::atomic<int> stored;

static long micros(Clock::time_point start) {
    return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start).count();
}

__attribute__((noinline)) static void take_slot() {
    auto before = Clock::now();
    disk_slot.acquire();
    waited_us += micros(before);
}

__attribute__((noinline)) static void write_part(int file, const std::string &part) {
    if (write(file, part.data(), part.size()) < 0)
        perror("write");
    auto before = Clock::now();
    fdatasync(file);
    synced_us += micros(before);
}

__attribute__((noinline)) static void store_part(int file, const std::string &part) {
    take_slot();
    write_part(file, part);
    disk_slot.release();
    stored++;
}

static void take_uploads(int thread, Clock::time_point start) {
    std::string name = "upload-" + std::to_string(thread) + ".part";
    int file = open(name.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (file < 0) {
        perror(name.c_str());
        return;
    }
    std::string part(20000, char('a' + thread));
    while (micros(start) < 2'000'000) {
        store_part(file, part);
        std::this_thread::sleep_for(std::chrono::microseconds(200)); // the next part arrives
    }
    close(file);
}

int main() {
    const int threads = 4;
    auto start = Clock::now();
    std::vector<std::thread> pool;
    for (int t = 0; t < threads; t++)
        pool.emplace_back(take_uploads, t, start);
    for (auto &thread : pool)
        thread.join();
    double wall = micros(start);
    std::ofstream("truth") << "waited_per_thread " << waited_us / wall / threads << "\nsynced " << synced_us / wall << "\nstored "
                           << stored << "\n";
}
