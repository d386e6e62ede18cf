// Writes the points of a hike as text. Everything stays in memory, the file is written once.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <string>

using Clock = std::chrono::steady_clock;

static double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

static std::string degrees(double value) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(6) << value;
    return text.str();
}

static void add_point(std::string &track, double north, double east) {
    track += degrees(north);
    track += ' ';
    track += degrees(east);
    track += '\n';
}

static std::size_t write_hike(unsigned points) {
    std::string track;
    for (unsigned n = 0; n < points; n++)
        add_point(track, 46.5 + n * 1e-5, 8 + (n * 7919 % 10007) * 1e-5);
    return track.size();
}

int main() {
    auto start = Clock::now();
    std::size_t letters = 0;
    long points = 0;
    for (; since(start) < 2; points += 2000)
        letters += write_hike(2000);
    double each = since(start) / points;
    std::ofstream("truth") << "points " << points << "\nns_per_point " << each * 1e9 << "\nletters " << letters << "\n";
}
