// Computes the positions of a broker: one thread reads fills, two threads value them, batch by batch.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

using Clock = std::chrono::steady_clock;

struct Fill {
    unsigned account, amount, price;
};

using Batch = std::vector<Fill>;

class Inbox {
public:
    void put(Batch batch)
    {
        std::unique_lock<std::mutex> hold(mutex_);
        room_.wait(hold, [&] { return batches_.size() < 16; });
        batches_.push_back(std::move(batch));
        filled_.notify_one();
    }

    bool take(Batch &batch)
    {
        std::unique_lock<std::mutex> hold(mutex_);
        filled_.wait(hold, [&] { return !batches_.empty() || closed_; });
        if (batches_.empty())
            return false;
        batch = std::move(batches_.front());
        batches_.pop_front();
        room_.notify_one();
        return true;
    }

    void close()
    {
        std::lock_guard<std::mutex> hold(mutex_);
        closed_ = true;
        filled_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable room_, filled_;
    std::deque<Batch> batches_;
    bool closed_ = false;
};

static Batch read_fills(unsigned first)
{
    Batch batch(20000);
    for (auto &fill : batch) {
        first = first * 1664525 + 1013904223;
        fill = {first >> 20, first & 1023, 100 + (first >> 7 & 4095)};
    }
    return batch;
}

static double value(const Fill &fill)
{
    double rate = 1.0 / fill.price, worth = fill.amount;
    for (int year = 0; year < 40; year++)
        worth = worth * (1 + rate) - 0.01 * rate * year;
    return worth;
}

static void value_batches(Inbox &inbox, std::vector<double> &accounts)
{
    Batch batch;
    while (inbox.take(batch))
        for (const auto &fill : batch)
            accounts[fill.account] += value(fill);
}

int main()
{
    Inbox inbox;
    std::vector<double> first(4096), second(4096);
    std::thread a([&] { value_batches(inbox, first); }), b([&] { value_batches(inbox, second); });
    auto start = Clock::now();
    unsigned batches = 0;
    while (Clock::now() - start < std::chrono::seconds(2))
        inbox.put(read_fills(batches++));
    inbox.close();
    a.join();
    b.join();
    double sum = 0;
    for (size_t i = 0; i < first.size(); i++)
        sum += first[i] + second[i];
    std::printf("%u batches, %.0f\n", batches, sum);
}
