// An order gateway: four sessions take orders and enter them into the day's book, which other programs read, too.
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <mutex>
#include <string>
#include <sys/file.h>
#include <thread>
#include <unistd.h>
#include <vector>

using Clock = std::chrono::steady_clock;

class Book {
public:
    explicit Book(const char *path) : file_(open(path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0644)) {}
    ~Book() { close(file_); }

    void enter(int session, long order, int price)
    {
        std::lock_guard<std::mutex> hold(mutex_);
        std::string line = std::to_string(session) + " " + std::to_string(order) + " " + std::to_string(price) + "\n";
        append(line);
    }

private:
    void append(const std::string &line)
    {
        flock(file_, LOCK_EX);
        if (write(file_, line.data(), line.size()) < 0)
            std::perror("book");
        flock(file_, LOCK_UN);
    }

    int file_;
    std::mutex mutex_;
};

static int price_of(long order)
{
    unsigned x = static_cast<unsigned>(order) * 2654435761u;
    for (int i = 0; i < 20000; i++)
        x = x * 1664525 + 1013904223;
    return 100 + static_cast<int>(x % 9000);
}

int main()
{
    Book book("orders.book");
    auto start = Clock::now();
    std::vector<std::thread> sessions;
    std::vector<long> orders(4), waited(4);
    for (int s = 0; s < 4; s++)
        sessions.emplace_back([&, s] {
            while (Clock::now() - start < std::chrono::seconds(2)) {
                int price = price_of(orders[s]);
                auto before = Clock::now();
                book.enter(s, orders[s]++, price);
                waited[s] += std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - before).count();
            }
        });
    for (auto &session : sessions)
        session.join();
    double wall = std::chrono::duration<double>(Clock::now() - start).count();
    double sum = 0;
    for (long w : waited)
        sum += w / 1e6;
    std::ofstream("truth") << "entering " << sum / 4 / wall << "\n";
    std::printf("%ld orders\n", orders[0] + orders[1] + orders[2] + orders[3]);
}
