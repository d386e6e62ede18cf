// Renders frames: a pool of twelve threads stands ready, though a frame has only as many parts as CPUs.
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <fstream>
#include <functional>
#include <mutex>
#include <sys/resource.h>
#include <thread>
#include <vector>

using Clock = std::chrono::steady_clock;

class Pool {
public:
    explicit Pool(int threads)
    {
        for (int n = 0; n < threads; n++)
            threads_.emplace_back([this] { serve(); });
    }

    ~Pool()
    {
        {
            std::lock_guard guard(mutex_);
            closing_ = true;
        }
        work_.notify_all();
        for (auto &thread : threads_)
            thread.join();
    }

    void submit(std::function<void()> task)
    {
        {
            std::lock_guard guard(mutex_);
            tasks_.push_back(std::move(task));
            open_++;
        }
        work_.notify_one();
    }

    void wait_for_all()
    {
        std::unique_lock lock(mutex_);
        done_.wait(lock, [this] { return open_ == 0; });
    }

private:
    void serve()
    {
        std::unique_lock lock(mutex_);
        for (;;) {
            work_.wait(lock, [this] { return closing_ || !tasks_.empty(); });
            if (tasks_.empty())
                return;
            auto task = std::move(tasks_.front());
            tasks_.pop_front();
            lock.unlock();
            task();
            lock.lock();
            if (--open_ == 0)
                done_.notify_one();
        }
    }

    std::mutex mutex_;
    std::condition_variable work_, done_;
    std::deque<std::function<void()>> tasks_;
    std::vector<std::thread> threads_;
    int open_ = 0;
    bool closing_ = false;
};

static uint32_t shade(int x, int y, int frame)
{
    uint32_t value = x * 31 + y * 17 + frame;
    for (int bounce = 0; bounce < 60; bounce++)
        value = value * 1664525 + (value >> 13) + x;
    return value;
}

static void render_part(std::vector<uint32_t> &picture, int from, int to, int frame)
{
    for (int y = from; y < to; y++)
        for (int x = 0; x < 1200; x++)
            picture[y * 1200 + x] = shade(x, y, frame);
}

int main()
{
    int parts = std::max(1u, std::thread::hardware_concurrency());
    auto start = Clock::now();
    std::vector<uint32_t> picture(1200 * 1200);
    int frames = 0;
    {
        Pool pool(12);
        while (Clock::now() - start < std::chrono::milliseconds(2000)) {
            for (int part = 0; part < parts; part++)
                pool.submit([&, part, frames] { render_part(picture, 1200 * part / parts, 1200 * (part + 1) / parts, frames); });
            pool.wait_for_all();
            frames++;
        }
    }
    double wall = std::chrono::duration<double>(Clock::now() - start).count();
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    std::ofstream("truth") << "frames " << frames << "\npixel " << picture[77] << "\ncpus_used "
                           << (usage.ru_utime.tv_sec + usage.ru_utime.tv_usec / 1e6) / wall << " of " << parts << '\n';
}
