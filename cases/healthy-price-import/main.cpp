// Imports the prices of many suppliers, and lists the cheapest supplier of each article.
#include <charconv>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <sys/resource.h>

using Clock = std::chrono::steady_clock;

struct Offer {
    int supplier = -1;
    int cents = 0;
};

struct Row {
    int supplier = 0;
    std::string_view article;
    int cents = 0;
};

using Offers = std::unordered_map<std::string, Offer>;

static void write_prices(const char *path)
{
    std::ofstream out(path);
    for (int n = 0; n < 400000; n++)
        out << n % 61 << ";article-" << n * 7919L % 20011 << ';' << 100 + n * 31L % 9973 << '\n';
}

static std::string read_all(const char *path)
{
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    std::string text(in.tellg(), '\0');
    in.seekg(0);
    in.read(text.data(), text.size());
    return text;
}

static Row parse(std::string_view line)
{
    Row row;
    size_t first = line.find(';'), second = line.find(';', first + 1);
    std::from_chars(line.data(), line.data() + first, row.supplier);
    row.article = line.substr(first + 1, second - first - 1);
    std::from_chars(line.data() + second + 1, line.data() + line.size(), row.cents);
    return row;
}

static void consider(Offers &offers, const Row &row, std::string &key)
{
    key.assign(row.article);
    Offer &offer = offers[key];
    if (offer.supplier < 0 || row.cents < offer.cents)
        offer = {row.supplier, row.cents};
}

static long import(const std::string &text, Offers &offers)
{
    long rows = 0;
    std::string key;
    for (std::string_view rest = text; !rest.empty(); rows++) {
        size_t end = rest.find('\n');
        consider(offers, parse(rest.substr(0, end)), key);
        rest.remove_prefix(end + 1);
    }
    return rows;
}

static void list(const Offers &offers, const char *path)
{
    std::ofstream out(path);
    for (auto &[article, offer] : offers)
        out << article << ": supplier " << offer.supplier << ", " << offer.cents << '\n';
}

int main()
{
    write_prices("prices.csv");
    auto start = Clock::now();
    std::string text = read_all("prices.csv");
    long rows = 0;
    Offers offers;
    offers.reserve(20011);
    while (Clock::now() - start < std::chrono::milliseconds(1800)) {
        offers.clear();
        rows += import(text, offers);
    }
    list(offers, "cheapest.txt");
    double wall = std::chrono::duration<double>(Clock::now() - start).count();
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    std::ofstream("truth") << "rows " << rows << "\narticles " << offers.size() << "\nwall " << wall << "\nuser "
                           << usage.ru_utime.tv_sec + usage.ru_utime.tv_usec / 1e6 << '\n';
}
