// Writes the places of comets in the sky, hour by hour, for an observatory.
#include <chrono>
#include <cmath>
#include <fstream>
#include <iostream>
#include <vector>

using Clock = std::chrono::steady_clock;

struct Comet {
    double period, eccentricity, phase;
};

static std::vector<Comet> comets() {
    std::vector<Comet> all;
    for (int n = 0; n < 24; n++)
        all.push_back({3.3 + n * 0.71, 0.3 + n * 0.025, n * 0.37});
    return all;
}

static double anomaly(const Comet &comet, double years) {
    double mean = comet.phase + 2 * M_PI * years / comet.period;
    double value = mean;
    for (int i = 0; i < 2; i++)
        value -= (value - comet.eccentricity * std::sin(value) - mean) / (1 - comet.eccentricity * std::cos(value));
    return value;
}

static void write_place(std::ostream &table, int hour, int number, double value) {
    long seconds = std::lround(value * 206264.806) % 1296000;
    table << hour << ' ' << number << ' ' << seconds << std::endl;
}

int main() {
    auto all = comets();
    std::ofstream table("ephemeris.txt");
    auto until = Clock::now() + std::chrono::milliseconds(2000);
    long rows = 0;
    for (int hour = 0; Clock::now() < until; hour++) {
        for (size_t n = 0; n < all.size(); n++) {
            write_place(table, hour, (int)n, anomaly(all[n], hour / 8766.0));
            rows++;
        }
    }
    std::cout << rows << " rows" << std::endl;
    std::ofstream("truth") << "rows " << rows << "\n";
}
