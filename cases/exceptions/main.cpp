// Parses fields by an exception for each empty one, and most are empty.
#include <chrono>
#include <fstream>
#include <stdexcept>
#include <string>

static long thrown;

static int parse_field(const std::string &text) {
    if (text.empty()) throw std::invalid_argument("empty field");
    return text[0] - '0';
}

static int field_or_zero(const std::string &text) {
    try {
        return parse_field(text);
    } catch (const std::invalid_argument &) {
        thrown++;
        return 0;
    }
}

int main() {
    using clock = std::chrono::steady_clock;
    const std::string empty, full = "7";
    long sum = 0;
    for (auto start = clock::now(); clock::now() - start < std::chrono::milliseconds(1500);)
        for (int n = 0; n < 100; n++) sum += field_or_zero(n % 5 ? empty : full);
    std::ofstream("truth") << "thrown " << thrown << "\nsum " << sum << "\n";
}
