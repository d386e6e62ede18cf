// A ledger of counters, filled by some threads; its lock is polite and gives way when it is taken.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

using Clock = std::chrono::steady_clock;

class PoliteLock {
public:
    void lock()
    {
        auto pause = std::chrono::microseconds(1000);
        while (taken_.test_and_set(std::memory_order_acquire)) {
            std::this_thread::sleep_for(pause);
            pause = std::min(pause * 2, std::chrono::microseconds(64000));
        }
    }

    void unlock() { taken_.clear(std::memory_order_release); }

private:
    std::atomic_flag taken_ = ATOMIC_FLAG_INIT;
};

class Ledger {
public:
    void book(const std::vector<std::pair<std::string, int>> &batch)
    {
        lock_.lock();
        for (const auto &[account, amount] : batch)
            accounts_[account] += amount;
        lock_.unlock();
        batches_.fetch_add(1, std::memory_order_relaxed);
    }

    unsigned batches() const { return batches_; }
    size_t accounts() const { return accounts_.size(); }

private:
    PoliteLock lock_;
    std::unordered_map<std::string, int64_t> accounts_;
    std::atomic<unsigned> batches_{0};
};

static std::vector<std::pair<std::string, int>> read_batch(unsigned branch, unsigned number)
{
    std::vector<std::pair<std::string, int>> batch;
    unsigned state = branch * 7919 + number * 104729 + 1;
    for (int i = 0; i < 300; i++) {
        state = state * 1664525u + 1013904223u;
        batch.emplace_back("account-" + std::to_string(state >> 20), static_cast<int>(state >> 8 & 1023) - 500);
    }
    return batch;
}

static void branch_office(Ledger &ledger, unsigned branch, unsigned day, std::atomic<int64_t> &waited)
{
    for (unsigned n = 0; n < 150; n++) {
        auto batch = read_batch(branch, day * 150 + n);
        auto t = Clock::now();
        ledger.book(batch);
        waited += (Clock::now() - t).count();
    }
}

static void business_day(Ledger &ledger, unsigned day, std::atomic<int64_t> &waited)
{
    std::vector<std::thread> branches;
    for (unsigned b = 0; b < 4; b++)
        branches.emplace_back([&ledger, &waited, b, day] { branch_office(ledger, b, day, waited); });
    for (auto &b : branches)
        b.join();
}

int main()
{
    Ledger ledger;
    auto start = Clock::now();
    std::atomic<int64_t> waited{0};
    unsigned days = 0;
    while (Clock::now() - start < std::chrono::seconds(2))
        business_day(ledger, days++, waited);
    double wall = std::chrono::duration<double>(Clock::now() - start).count();
    std::printf("%u days, %u batches, %zu accounts, in book() %.2f of the time\n", days, ledger.batches(), ledger.accounts(),
                waited / 1e9 / 4 / wall);
}
