// Shows every runner at the finish his or her place so far, in the age class and overall.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

using Clock = std::chrono::steady_clock;

struct Result {
    int seconds;
    int number;
    bool operator<(const Result &o) const { return seconds != o.seconds ? seconds < o.seconds : number < o.number; }
};

class Standings {
public:
    size_t enter(const Result &r) { return place_of(results_.insert(r).first); }
    size_t size() const { return results_.size(); }

private:
    size_t place_of(std::set<Result>::const_iterator it) const
    {
        return std::distance(results_.begin(), it) + 1;
    }

    std::set<Result> results_;
};

struct Race {
    Standings overall;
    std::vector<Standings> classes = std::vector<Standings>(8);
};

static std::string certificate(const Result &r, size_t overall, size_t in_class)
{
    char text[120];
    std::snprintf(text, sizeof text, "No. %d: %d:%02d:%02d, place %zu, in the class %zu", r.number, r.seconds / 3600,
                  r.seconds / 60 % 60, r.seconds % 60, overall, in_class);
    return text;
}

int main()
{
    auto end = Clock::now() + std::chrono::milliseconds(2000);
    Race race;
    std::mt19937 random(26);
    std::normal_distribution<double> time(15300, 2500);
    std::string last;
    size_t printed = 0;
    for (int number = 1; Clock::now() < end; number++) {
        Result r{int(time(random)), number};
        size_t overall = race.overall.enter(r);
        size_t in_class = race.classes[random() % 8].enter(r);
        last = certificate(r, overall, in_class);
        printed += last.size();
    }
    std::printf("%zu runners, %zu letters; %s\n", race.overall.size(), printed, last.c_str());
}
