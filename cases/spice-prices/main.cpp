// Prices the orders of a spice merchant: some articles have a special offer, the others cost what the list says.
#include <chrono>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

class Offers {
    std::map<std::string, int> cents;

public:
    void add(const std::string &article, int price) { cents[article] = price; }
    int price(const std::string &article) const { return cents.at(article); }
};

struct Article {
    std::string name;
    int list_price;
};

static std::vector<Article> range() {
    const char *spices[] = {"anise", "basil", "cumin", "dill", "fennel", "ginger", "mace", "saffron"};
    std::vector<Article> articles;
    for (int n = 0; n < 400; n++) articles.push_back({spices[n % 8] + std::string(" ") + std::to_string(n), 150 + n});
    return articles;
}

static int price_of(const Offers &offers, const Article &article) {
    try {
        return offers.price(article.name);
    } catch (const std::out_of_range &) {
        return article.list_price;
    }
}

static long order_total(const Offers &offers, const std::vector<Article> &articles, int number) {
    long total = 0;
    for (int line = 0; line < 20; line++) total += price_of(offers, articles[(number * 20 + line * 7) % articles.size()]);
    return total;
}

int main() {
    auto start = std::chrono::steady_clock::now();
    std::vector<Article> articles = range();
    Offers offers;
    for (int n = 0; n < 400; n += 25) offers.add(articles[n].name, 99);
    long total = 0;
    int orders = 0;
    while (std::chrono::steady_clock::now() - start < std::chrono::seconds(2)) {
        total += order_total(offers, articles, orders);
        orders++;
    }
    std::ofstream("truth") << "orders " << orders << "\ncents " << total << "\n";
}
