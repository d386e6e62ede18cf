// The doors of a company: each badge is looked up in a table of 12,000.
#include <chrono>
#include <cstdint>
#include <fstream>
#include <unordered_map>

using Clock = std::chrono::steady_clock;

static double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Badge {
    std::uint32_t building, number;
    bool operator==(const Badge &other) const { return number == other.number && building == other.building; }
};

struct ByBuilding {
    std::size_t operator()(const Badge &badge) const { return badge.building; }
};

struct ByAll {
    std::size_t operator()(const Badge &badge) const { return (std::uint64_t{badge.building} << 32 | badge.number) * 0x9E3779B97F4A7C15u >> 13; }
};

template <typename Hash> using Table = std::unordered_map<Badge, std::uint32_t, Hash>;

static Badge badge_of(std::uint32_t person) { return {person % 16, person * 7919}; }

template <typename Hash> static Table<Hash> read_badges() {
    Table<Hash> table;
    for (std::uint32_t person = 0; person < 12000; person++)
        table.emplace(badge_of(person), person * 2654435761u);
    return table;
}

template <typename Hash> static bool may_open(const Table<Hash> &table, const Badge &badge, unsigned door) {
    auto found = table.find(badge);
    return found != table.end() && found->second >> door % 32 & 1;
}

// The seconds of one look-up, on average.
template <typename Hash> static double serve_doors(const Table<Hash> &table, double seconds, long &opened, long &asked) {
    auto start = Clock::now();
    std::uint32_t person = 1;
    long before = asked;
    while (since(start) < seconds)
        for (int i = 0; i < 100; i++, asked++) {
            person = person * 1103515245 + 12345;
            opened += may_open(table, badge_of((person >> 8) % 12000), person >> 28);
        }
    return since(start) / (asked - before);
}

int main() {
    long opened = 0, asked = 0, other = 0, ignored = 0;
    auto table = read_badges<ByBuilding>();
    double mean = serve_doors(table, 2, opened, asked);
    std::size_t fullest = 0;
    for (std::size_t bucket = 0; bucket < table.bucket_count(); bucket++)
        fullest = std::max(fullest, table.bucket_size(bucket));
    double other_mean = serve_doors(read_badges<ByAll>(), 0.05, ignored, other);
    std::ofstream("truth") << "look_ups " << asked << "\nopened " << opened << "\nfullest_bucket " << fullest << "\ntimes_slower " << mean / other_mean << "\n";
}
