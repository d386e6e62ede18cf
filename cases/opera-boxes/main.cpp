// Answers the box office of an opera house: which seats are still free, and at what price.
#include <chrono>
#include <fstream>
#include <map>
#include <string>
#include <vector>

using Clock = std::chrono::steady_clock;

struct Seat {
    std::string guest;
    int cents = 0;
};

using Hall = std::map<std::string, Seat>;

static std::string seat_name(int n) {
    return "balcony-" + std::to_string(n / 40) + "-row-" + std::to_string(n / 20 % 2) + "-seat-" + std::to_string(n % 20);
}

static Hall empty_hall(int seats) {
    Hall hall;
    for (int n = 0; n < seats; n++)
        hall[seat_name(n)].cents = 2000 + n % 60 * 100;
    return hall;
}

__attribute__((noinline)) static int price_of(Hall hall, const std::string &name) {
    auto seat = hall.find(name);
    if (seat == hall.end() || !seat->second.guest.empty())
        return -1;
    return seat->second.cents;
}

__attribute__((noinline)) static int quote(const Hall &hall, const std::vector<std::string> &wishes) {
    int sum = 0;
    for (const auto &wish : wishes) {
        int cents = price_of(hall, wish);
        if (cents > 0)
            sum += cents;
    }
    return sum;
}

int main() {
    Hall hall = empty_hall(3000);
    unsigned calls = 0;
    long turnover = 0;
    auto start = Clock::now();
    while (Clock::now() - start < std::chrono::seconds(2)) {
        std::vector<std::string> wishes;
        for (unsigned k = 0; k < 4; k++)
            wishes.push_back(seat_name((calls * 37 + k) % 3000));
        int cents = quote(hall, wishes);
        hall[wishes[0]].guest = calls % 50 ? "" : "guest with a long name " + std::to_string(calls);
        turnover += cents;
        calls++;
    }
    std::ofstream("truth") << "calls " << calls << "\ncents " << turnover << "\n";
}
