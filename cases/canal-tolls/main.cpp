// Computes what the barges on a canal pay, by the rules of each lock.
#include <chrono>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

using Clock = std::chrono::steady_clock;

struct Barge {
    int tons, crew;
    bool empty;
};

using Rule = std::function<int(const Barge &)>;

struct Lock {
    std::string name;
    std::vector<Rule> rules;
};

static std::vector<int> rates(int lock) {
    std::vector<int> table(6000);
    for (size_t tons = 0; tons < table.size(); tons++)
        table[tons] = (int)(tons * (3 + lock % 4) / 10) + 40;
    return table;
}

static std::vector<Lock> canal() {
    std::vector<Lock> locks;
    for (int n = 0; n < 14; n++) {
        auto table = rates(n);
        int fee = 15 + n;
        locks.push_back({"lock " + std::to_string(n),
                         {[=](const Barge &barge) { return barge.empty ? table[barge.tons] / 4 : table[barge.tons]; },
                          [=](const Barge &barge) { return fee * barge.crew; }}});
    }
    return locks;
}

static int apply(Rule rule, const Barge &barge) {
    return rule(barge);
}

static int toll(const std::vector<Lock> &locks, const Barge &barge) {
    int sum = 0;
    for (auto &lock : locks)
        for (auto &rule : lock.rules)
            sum += apply(rule, barge);
    return sum;
}

int main() {
    auto locks = canal();
    auto until = Clock::now() + std::chrono::milliseconds(2000);
    long barges = 0, sum = 0;
    while (Clock::now() < until) {
        for (int i = 0; i < 100; i++, barges++)
            sum += toll(locks, {(int)(barges * 7919 % 6000), (int)(2 + barges % 5), barges % 3 == 0});
    }
    std::cout << barges << " barges, mean toll " << sum / barges << "\n";
}
