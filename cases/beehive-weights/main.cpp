// The weights of beehives; each gets the checksum that the portal of the beekeepers wants.
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>

using Clock = std::chrono::steady_clock;

static double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

static std::string checksum(const std::string &line) {
    std::string result;
    FILE *pipe = popen(("printf %s '" + line + "' | cksum").c_str(), "r");
    if (!pipe)
        return result;
    char buffer[64];
    while (fgets(buffer, sizeof buffer, pipe))
        result += buffer;
    pclose(pipe);
    return result.substr(0, result.find(' '));
}

int main() {
    auto start = Clock::now();
    int hives = 0;
    double waiting = 0;
    std::size_t digits = 0;
    for (; since(start) < 2; hives++) {
        auto before = Clock::now();
        digits += checksum("hive-" + std::to_string(hives) + "-" + std::to_string(30000 + hives * 31 % 9000)).size();
        waiting += since(before);
    }
    std::ofstream("truth") << "in_popen " << waiting / since(start) << "\nhives " << hives << "\ndigits " << digits << "\n";
}
