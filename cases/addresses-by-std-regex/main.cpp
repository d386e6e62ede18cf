// Checks e-mail addresses by std::regex, whose expression is made once, as it should be; but its matcher is slow.
#include <chrono>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

using Clock = std::chrono::steady_clock;

static double seconds(Clock::duration took) { return std::chrono::duration<double>(took).count(); }

static const std::regex address(R"(([A-Za-z0-9_+]+(\.[A-Za-z0-9_+-]+)*)@(([A-Za-z0-9-]+\.)+[A-Za-z]{2,}))");
static double matching;

static bool is_address(const std::string &text) {
    auto before = Clock::now();
    bool is = std::regex_match(text, address);
    matching += seconds(Clock::now() - before);
    return is;
}

static std::vector<std::string> load_members() {
    std::vector<std::string> members;
    const char *towns[] = {"ulm", "jena", "kiel", "bonn"};
    for (int n = 0; n < 2000; n++) {
        std::string member = "first.middle.last_name+" + std::to_string(n) + (n % 9 ? "@" : " at ") + "post.office-" + towns[n % 4];
        members.push_back(member + ".example.org");
    }
    return members;
}

static int count_addresses(const std::vector<std::string> &members) {
    int good = 0;
    for (const std::string &member : members) good += is_address(member);
    return good;
}

int main() {
    std::vector<std::string> members = load_members();
    auto start = Clock::now();
    int rounds = 0, good = 0;
    while (seconds(Clock::now() - start) < 2) {
        good += count_addresses(members);
        rounds++;
    }
    double wall = seconds(Clock::now() - start);
    std::ofstream("truth") << "matching " << matching / wall << "\nus_per_address " << 1e6 * wall / rounds / members.size()
        << "\ngood " << good / rounds << "\n";
}
