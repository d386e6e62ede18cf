// Adds up orders. The price list is a map that priceOf takes by value.
#include <chrono>
#include <fstream>
#include <map>
#include <string>
#include <vector>

using Clock = std::chrono::steady_clock;
using PriceList = std::map<std::string, double>;

struct Item {
    std::string article;
    int count;
};

static double priceOf(PriceList prices, const std::string &article) {
    auto found = prices.find(article);
    return found == prices.end() ? 0 : found->second;
}

static double orderTotal(const PriceList &prices, const std::vector<Item> &items) {
    double total = 0;
    for (const Item &item : items) total += priceOf(prices, item.article) * item.count;
    return total;
}

static double referenceTotal(const PriceList &prices, const std::vector<Item> &items) {
    double total = 0;
    for (const Item &item : items)
        if (auto found = prices.find(item.article); found != prices.end()) total += found->second * item.count;
    return total;
}

static PriceList readPrices() {
    PriceList prices;
    for (int n = 0; n < 3000; n++) prices["article number " + std::to_string(n * 7919 % 100000)] = n % 100 + 0.99;
    return prices;
}

static double seconds(Clock::time_point from) { return std::chrono::duration<double>(Clock::now() - from).count(); }

int main() {
    PriceList prices = readPrices();
    std::vector<Item> items;
    for (int n = 0; n < 5; n++) items.push_back({"article number " + std::to_string(n * 7919 * 13 % 100000), n + 1});
    auto start = Clock::now();
    long orders = 0;
    double sum = 0, difference = 0;
    for (; seconds(start) < 2; orders++) sum += orderTotal(prices, items);
    double took = seconds(start);
    start = Clock::now();
    for (long n = 0; n < orders; n++) difference += referenceTotal(prices, items);
    std::ofstream("truth") << "orders " << orders << "\nwith_reference " << seconds(start) / took << "\nsum "
                           << sum - difference << "\n";
}
