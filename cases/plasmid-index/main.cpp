// Builds the suffix array of a plasmid, and counts how often some probes bind to it.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

using Clock = std::chrono::steady_clock;

static std::string make_plasmid(size_t length, uint32_t seed) {
    static const char bases[] = "ACGT";
    std::string text(length, 'A');
    for (char &base : text) base = bases[(seed = seed * 1664525u + 1013904223u) >> 30];
    return text;
}

struct BySuffix {
    const std::string &text;
    bool operator()(uint32_t a, uint32_t b) const { return text.substr(a) < text.substr(b); }
};

__attribute__((noinline)) static std::vector<uint32_t> suffix_array(const std::string &text) {
    std::vector<uint32_t> order(text.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), BySuffix{text});
    return order;
}

static size_t count_probe(const std::string &text, const std::vector<uint32_t> &order, const std::string &probe) {
    auto below = std::lower_bound(order.begin(), order.end(), probe, [&](uint32_t at, const std::string &p) { return text.compare(at, p.size(), p) < 0; });
    auto above = std::upper_bound(below, order.end(), probe, [&](const std::string &p, uint32_t at) { return text.compare(at, p.size(), p) > 0; });
    return above - below;
}

int main() {
    auto start = Clock::now();
    double building = 0;
    size_t plasmids = 0, bound = 0;
    while (Clock::now() - start < std::chrono::seconds(2)) {
        std::string text = make_plasmid(14000, 77 + plasmids++);
        auto before = Clock::now();
        auto order = suffix_array(text);
        building += std::chrono::duration<double>(Clock::now() - before).count();
        for (size_t at = 0; at + 8 < text.size(); at += 5) bound += count_probe(text, order, text.substr(at, 8));
    }
    double all = std::chrono::duration<double>(Clock::now() - start).count();
    printf("%zu plasmids, %zu probes bound, %.2f of the time in suffix_array\n", plasmids, bound, building / all);
}
