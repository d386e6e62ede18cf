// Takes uploads for the members of a club, each of whom may use 50 MB.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

static const uintmax_t allowed = 50'000'000;
static double scanning;

static double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

static void make_member(const fs::path &home) {
    for (int album = 0; album < 40; album++) {
        fs::path folder = home / ("album-" + std::to_string(album));
        fs::create_directories(folder);
        for (int n = 0; n < 100; n++)
            std::ofstream(folder / ("photo-" + std::to_string(n) + ".jpg")) << "photo " << n;
    }
}

// The sizes of all files below a member's home.
__attribute__((noinline)) uintmax_t used_space(const fs::path &home) {
    auto before = Clock::now();
    uintmax_t sum = 0;
    for (const auto &entry : fs::recursive_directory_iterator(home))
        if (entry.is_regular_file())
            sum += entry.file_size();
    scanning += since(before);
    return sum;
}

__attribute__((noinline)) bool store_upload(const fs::path &home, int number, const std::string &content) {
    if (used_space(home) + content.size() > allowed)
        return false;
    fs::path folder = home / ("album-" + std::to_string(number % 40));
    std::ofstream(folder / ("upload-" + std::to_string(number % 200) + ".jpg")) << content;
    return true;
}

int main() {
    fs::path home = "members/anna";
    make_member(home);
    std::string content(3000, 'x');
    int stored = 0, refused = 0;
    auto start = Clock::now();
    while (since(start) < 2)
        if (store_upload(home, stored, content))
            stored++;
        else
            refused++;
    std::ofstream("truth") << "scanning " << scanning / since(start) << "\nstored " << stored << "\nrefused " << refused << "\n";
}
