// Files the scans of an office under the first free number of their folder.
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

static Clock::duration searching;

static fs::path free_place(const fs::path &folder) {
    auto before = Clock::now();
    for (int number = 1;; number++) {
        fs::path place = folder / ("scan (" + std::to_string(number) + ").pdf");
        if (!fs::exists(place)) {
            searching += Clock::now() - before;
            return place;
        }
    }
}

static void file_scan(const fs::path &folder, int pages) {
    std::ofstream out(free_place(folder));
    out << "a scan of " << pages << " pages\n";
}

int main() {
    fs::path folder = "inbox";
    fs::create_directory(folder);
    auto start = Clock::now();
    int scans = 0;
    for (; Clock::now() < start + std::chrono::seconds(2); scans++) file_scan(folder, scans % 30 + 1);
    double wall = std::chrono::duration<double>(Clock::now() - start).count();
    std::ofstream truth("truth");
    truth << "searching " << std::chrono::duration<double>(searching).count() / wall << "\nscans " << scans << "\n";
}
