// Checks bus passes against those that were sold.
#include <chrono>
#include <cstdio>
#include <string>
#include <unordered_map>

using Clock = std::chrono::steady_clock;

struct Pass {
    int zone;
    int rides;
};

class Passes {
public:
    Passes()
    {
        // the box in the bus has little memory, so the table must not grow too early
        passes_.max_load_factor(64.0f);
        passes_.rehash(16);
    }
    void sell(const std::string &number, int zone) { passes_.emplace(number, Pass{zone, 0}); }

    bool check(const std::string &number, int zone)
    {
        auto it = passes_.find(number);
        if (it == passes_.end() || it->second.zone < zone)
            return false;
        it->second.rides++;
        return true;
    }
    size_t size() const { return passes_.size(); }

private:
    std::unordered_map<std::string, Pass> passes_;
};

class Riders {
public:
    unsigned next()
    {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        return state_ >> 33;
    }

private:
    unsigned long long state_ = 4;
};

// What is printed on a pass: a number with a check digit by weights.
static std::string number_of(unsigned n)
{
    char text[24];
    std::snprintf(text, sizeof text, "BP-%08u", n * 2654435u % 100000000u);
    int sum = 0;
    for (int round = 0; round < 40; round++)
        for (int i = 3; text[i]; i++)
            sum = (sum * 7 + (text[i] - '0') * (i + round)) % 97;
    return std::string(text) + char('A' + sum % 26);
}

int main()
{
    auto end = Clock::now() + std::chrono::milliseconds(2000);
    Passes passes;
    Riders riders;
    for (unsigned i = 0; i < 60000; i++)
        passes.sell(number_of(i), i % 4 + 1);
    size_t rides = 0, refused = 0;
    while (Clock::now() < end) {
        rides++;
        if (!passes.check(number_of(riders.next() % 70000), riders.next() % 4))
            refused++;
    }
    std::printf("%zu passes, %zu rides, %zu refused\n", passes.size(), rides, refused);
}
