// Merges the soundings of many survey ships into one chart, ordered by place, and keeps the shallowest of each place.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <thread>
#include <vector>

using Clock = std::chrono::steady_clock;

struct Sounding {
    std::uint32_t place;
    std::uint32_t centimetres;
    bool operator<(const Sounding &other) const {
        return place != other.place ? place < other.place : centimetres < other.centimetres;
    }
};

static double seconds(Clock::time_point since) {
    return std::chrono::duration<double>(Clock::now() - since).count();
}

static void survey(std::vector<Sounding> &soundings, std::uint32_t ship) {
    std::uint32_t state = ship * 2654435761u + 1;
    for (Sounding &sounding : soundings) {
        state = state * 1664525u + 1013904223u;
        sounding.place = state >> 13;
        state = state * 1664525u + 1013904223u;
        sounding.centimetres = 100 + (state >> 18);
    }
}

static void sort_halves(std::vector<Sounding> &soundings) {
    auto middle = soundings.begin() + soundings.size() / 2;
    std::thread second([&] { std::sort(middle, soundings.end()); });
    std::sort(soundings.begin(), middle);
    second.join();
    std::inplace_merge(soundings.begin(), middle, soundings.end());
}

static std::size_t keep_shallowest(std::vector<Sounding> &soundings) {
    auto same = [](const Sounding &a, const Sounding &b) { return a.place == b.place; };
    return std::unique(soundings.begin(), soundings.end(), same) - soundings.begin();
}

int main() {
    auto start = Clock::now();
    std::vector<Sounding> soundings(400000);
    std::uint32_t ships = 0;
    std::size_t places = 0;
    while (seconds(start) < 2) {
        survey(soundings, ships++);
        sort_halves(soundings);
        places += keep_shallowest(soundings);
    }
    std::ofstream("truth") << "ships " << ships << "\nplaces " << places << "\n";
}
