// A ledger in a memory-mapped file. Every entry is made durable by a call of msync of its own.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <stdexcept>
#include <sys/mman.h>
#include <unistd.h>

using Clock = std::chrono::steady_clock;

static double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Entry {
    uint64_t number;
    int64_t cents;
    char text[48];
};

class Ledger {
    static constexpr size_t capacity = 64 << 10;
    Entry *entries;
    uint64_t count = 0;

    void make_durable(const Entry *entry) {
        auto before = Clock::now();
        auto page = reinterpret_cast<uintptr_t>(entry) & ~uintptr_t(4095);
        if (msync(reinterpret_cast<void *>(page), 4096, MS_SYNC)) throw std::runtime_error("msync");
        syncing += seconds_since(before);
    }

public:
    double syncing = 0;

    explicit Ledger(const char *path) {
        int file = open(path, O_RDWR | O_CREAT, 0644);
        if (file < 0 || posix_fallocate(file, 0, capacity * sizeof(Entry))) throw std::runtime_error(path);
        void *map = mmap(nullptr, capacity * sizeof(Entry), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (map == MAP_FAILED) throw std::runtime_error("mmap");
        close(file);
        entries = static_cast<Entry *>(map);
    }

    void book_entry(int64_t cents) {
        Entry &entry = entries[count % capacity];
        entry.number = ++count;
        entry.cents = cents;
        snprintf(entry.text, sizeof entry.text, "booking %lld", static_cast<long long>(cents));
        make_durable(&entry);
    }

    uint64_t size() const { return count; }
};

int main() {
    Ledger ledger("ledger.dat");
    auto start = Clock::now();
    while (seconds_since(start) < 2.0) ledger.book_entry(rand() % 10000);
    double wall = seconds_since(start);
    std::ofstream("truth") << "share " << ledger.syncing / wall << "\nentries " << ledger.size() << "\n";
}
