// Which ingredients are in the pantry? Most recipes need something that is not.
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

using Clock = std::chrono::steady_clock;

static double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

static std::vector<std::string> names;

static const std::string &ingredient(unsigned n) { return names[n % names.size()]; }

static std::map<std::string, int> read_pantry() {
    std::map<std::string, int> grams;
    for (unsigned n = 0; n < 400; n++)
        names.push_back("ingredient " + std::to_string(n));
    for (unsigned n = 0; n < 100; n++)
        grams[ingredient(n * 4)] = 50 + n;
    return grams;
}

static int grams_of(const std::map<std::string, int> &pantry, const std::string &name) {
    try {
        return pantry.at(name);
    } catch (const std::out_of_range &) {
        return 0;
    }
}

int main() {
    auto pantry = read_pantry();
    auto start = Clock::now();
    long grams = 0, asked = 0;
    double missing = 0;
    while (since(start) < 2) {
        const std::string &name = ingredient(asked++ * 7);
        auto before = Clock::now();
        int found = grams_of(pantry, name);
        if (found == 0)
            missing += since(before);
        grams += found;
    }
    std::ofstream("truth") << "share " << missing / since(start) << "\nasked " << asked << "\ngrams " << grams << "\n";
}
