// Adds up how long ships lie at the berths of a port, from the log of the harbour master.
#include <chrono>
#include <cstdio>
#include <ctime>
#include <iomanip>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

struct Stay {
    std::string berth, ship, came, went;
};

std::vector<Stay> log_of_a_week(int week)
{
    std::vector<Stay> stays;
    char came[32], went[32];
    for (int i = 0; i < 2000; i++) {
        std::snprintf(came, sizeof came, "2026-%02d-%02d %02d:%02d:00", week % 12 + 1, i % 27 + 1, i % 20, i % 60);
        std::snprintf(went, sizeof went, "2026-%02d-%02d %02d:%02d:00", week % 12 + 1, i % 27 + 1, i % 20 + 3, (i * 7) % 60);
        stays.push_back({"berth " + std::to_string(i % 17), "ship " + std::to_string(i * 31 % 400), came, went});
    }
    return stays;
}

std::time_t when(const std::string &text)
{
    std::tm t{};
    std::istringstream in(text);
    in >> std::get_time(&t, "%Y-%m-%d %H:%M:%S");
    return timegm(&t);
}

double tariff(const std::string &ship, double hours)
{
    // larger ships pay more, and every hour costs less than the one before
    double length = 20, sum = 0;
    for (char c : ship)
        length = length * 1.1 + c % 7;
    for (int h = 0; h < hours * 12; h++)
        sum += length / (1 + h * 0.05);
    return sum;
}

void add_up(const std::vector<Stay> &stays, std::map<std::string, double> &hours, std::map<std::string, double> &fees, double &dates)
{
    for (const Stay &s : stays) {
        auto t = Clock::now();
        double h = std::difftime(when(s.went), when(s.came)) / 3600;
        dates += std::chrono::duration<double>(Clock::now() - t).count();
        hours[s.berth] += h;
        fees[s.ship] += tariff(s.ship, h);
    }
}

} // namespace

int main()
{
    auto begin = Clock::now();
    std::map<std::string, double> hours, fees;
    double dates = 0;
    int weeks = 0;
    while (Clock::now() - begin < std::chrono::seconds(2))
        add_up(log_of_a_week(weeks++), hours, fees, dates);
    std::printf("%d weeks, %.1f hours at berth 3, %.2f for ship 31\n", weeks, hours["berth 3"], fees["ship 31"]);
    if (std::FILE *f = std::fopen("truth", "w")) {
        std::fprintf(f, "share %.3f\n", dates / std::chrono::duration<double>(Clock::now() - begin).count());
        std::fclose(f);
    }
}
