// Counts for each peg of a land survey how many of its eight neighbours were measured, too.
#include <chrono>
#include <cstddef>
#include <fstream>
#include <unordered_map>

using Clock = std::chrono::steady_clock;

struct Place {
    int east, north;
    bool operator==(const Place &other) const { return east == other.east && north == other.north; }
};

struct PlaceHash {
    std::size_t operator()(const Place &place) const { return std::hash<int>()(place.east) ^ std::hash<int>()(place.north); }
};

struct Peg {
    float height;
    int neighbours;
};

using Survey = std::unordered_map<Place, Peg, PlaceHash>;

static double seconds(Clock::time_point since) {
    return std::chrono::duration<double>(Clock::now() - since).count();
}

__attribute__((noinline)) static void drive_peg(Survey &survey, int east, int north) {
    float height = (east * 13 + north * 7) % 101 / 10.0f;
    survey.emplace(Place{east, north}, Peg{height, 0});
}

__attribute__((noinline)) static int count_neighbours(const Survey &survey, const Place &place) {
    int found = 0;
    for (int east = -1; east <= 1; east++)
        for (int north = -1; north <= 1; north++)
            if ((east || north) && survey.count(Place{place.east + east, place.north + north}))
                found++;
    return found;
}

int main() {
    auto start = Clock::now();
    Survey survey;
    double looking = 0;
    long pegs = 0, neighbours = 0;
    const int side = 250;
    for (int east = 0; east < side; east++)
        for (int north = 0; north < side; north++)
            if ((east * 7 + north * 3) % 5)
                drive_peg(survey, east, north);
    double driving = seconds(start);
    for (auto &entry : survey) {
        if (seconds(start) > 2.2)
            break;
        auto before = Clock::now();
        entry.second.neighbours = count_neighbours(survey, entry.first);
        looking += seconds(before);
        neighbours += entry.second.neighbours;
        pegs++;
    }
    std::ofstream("truth") << "hash_share " << (driving + looking) / seconds(start) << "\ndriving_s " << driving
                           << "\nlooking_s " << looking << "\npegs " << pegs << "\nneighbours " << neighbours << "\n";
}
