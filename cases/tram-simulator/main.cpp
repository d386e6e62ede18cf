// Simulates the days of a tram line, on as many threads as there are CPUs.
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

using Clock = std::chrono::steady_clock;

struct Day {
    uint64_t seed;
    int trams;
};

class Days {
public:
    explicit Days(size_t room) : room_(room) {}
    void put(Day d)
    {
        std::unique_lock<std::mutex> lock(m_);
        space_.wait(lock, [&] { return q_.size() < room_; });
        q_.push_back(d);
        lock.unlock();
        more_.notify_one();
    }
    bool take(Day &d)
    {
        std::unique_lock<std::mutex> lock(m_);
        more_.wait(lock, [&] { return !q_.empty() || closed_; });
        if (q_.empty())
            return false;
        d = q_.front();
        q_.pop_front();
        lock.unlock();
        space_.notify_one();
        return true;
    }
    void close()
    {
        std::lock_guard<std::mutex> lock(m_);
        closed_ = true;
        more_.notify_all();
    }

private:
    std::mutex m_;
    std::condition_variable more_, space_;
    std::deque<Day> q_;
    size_t room_;
    bool closed_ = false;
};

static uint64_t delays_of(const Day &day)
{
    uint64_t x = day.seed | 1, sum = 0;
    std::vector<int> delay(day.trams);
    for (int stop = 0; stop < 60000; stop++)
        for (int &d : delay) {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            d += int(x % 61) - 30;
            d = d < 0 ? 0 : d;
            sum += d;
        }
    return sum;
}

int main()
{
    auto end = Clock::now() + std::chrono::milliseconds(2000);
    unsigned n = std::max(1u, std::thread::hardware_concurrency());
    Days days(4 * n);
    std::vector<uint64_t> sums(n * 16);
    std::vector<std::thread> workers;
    for (unsigned i = 0; i < n; i++)
        workers.emplace_back([&, i] {
            Day d;
            uint64_t sum = 0;
            while (days.take(d))
                sum += delays_of(d);
            sums[i * 16] = sum;
        });
    uint64_t day = 0;
    while (Clock::now() < end)
        days.put({++day * 2654435761u, 24});
    days.close();
    uint64_t sum = 0;
    for (unsigned i = 0; i < n; i++) {
        workers[i].join();
        sum += sums[i * 16];
    }
    std::printf("%llu days, %llu seconds late\n", (unsigned long long)day, (unsigned long long)sum);
}
