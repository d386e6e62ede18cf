// Adds up the counts of divers. Many fields hold a dash or a remark in place of a number.
#include <chrono>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

using Clock = std::chrono::steady_clock;

static double seconds(Clock::time_point since) {
    return std::chrono::duration<double>(Clock::now() - since).count();
}

struct Dive {
    std::string diver;
    std::vector<std::string> fields;
};

static std::vector<Dive> make_dives(unsigned count) {
    static const char *remarks[] = {"-", "n/a", "murky", "none seen", "?"};
    std::vector<Dive> dives;
    unsigned state = 12345;
    for (unsigned n = 0; n < count; n++) {
        Dive dive{"diver" + std::to_string(n % 12), {}};
        for (int field = 0; field < 10; field++) {
            state = state * 1664525u + 1013904223u;
            if ((state >> 16) % 10 < 7)
                dive.fields.push_back(remarks[(state >> 20) % 5]);
            else
                dive.fields.push_back(std::to_string((state >> 18) % 500));
        }
        dives.push_back(dive);
    }
    return dives;
}

__attribute__((noinline)) static int count_or_zero(const std::string &field) {
    try {
        return std::stoi(field);
    } catch (const std::invalid_argument &) {
        return 0;
    }
}

static long total(const std::vector<Dive> &dives) {
    long sum = 0;
    for (const Dive &dive : dives)
        for (const std::string &field : dive.fields)
            sum += count_or_zero(field);
    return sum;
}

int main() {
    auto start = Clock::now();
    auto dives = make_dives(4000);
    double made = seconds(start);
    long sum = 0;
    int rounds = 0;
    while (seconds(start) < 2) {
        sum = total(dives);
        rounds++;
    }
    std::ofstream("truth") << "share " << 1 - made / seconds(start) << "\nrounds " << rounds << "\nsum " << sum << "\n";
}
