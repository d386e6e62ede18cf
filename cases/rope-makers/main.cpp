// Finds the length of rope that each ship needs in a price list of a rope maker.
#include <chrono>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

using Prices = std::map<std::string, std::vector<int>>;

static Prices make_prices() {
    Prices prices;
    for (int rope = 0; rope < 800; rope++) prices["rope of kind " + std::to_string(rope)] = {rope, rope * 3, rope * 7 % 100};
    return prices;
}

static int price_of(Prices prices, const std::string &rope) {
    auto found = prices.find(rope);
    return found == prices.end() ? 0 : found->second[2];
}

int main() {
    Prices prices = make_prices();
    auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    long ships = 0, sum = 0;
    while (std::chrono::steady_clock::now() < end) {
        sum += price_of(prices, "rope of kind " + std::to_string(ships % 900));
        ships++;
    }
    std::printf("%ld ships, %ld\n", ships, sum);
}
