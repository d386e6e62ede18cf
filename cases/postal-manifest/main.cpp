// Puts the parcels of a post office into manifests of half a megabyte each.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <string>

using Clock = std::chrono::steady_clock;

struct Parcel {
    uint64_t number;
    int grams;
    const char *town;
};

class Manifest {
public:
    bool full() const { return text_.str().size() >= limit; }

    void add(const Parcel &p)
    {
        text_ << std::setw(12) << std::setfill('0') << p.number << ';' << p.grams << ';' << p.town << '\n';
        ++parcels_;
    }

    size_t send(std::ofstream &out)
    {
        out << text_.str();
        text_.str("");
        size_t n = parcels_;
        parcels_ = 0;
        return n;
    }

private:
    static constexpr size_t limit = 512 * 1024;
    std::ostringstream text_;
    size_t parcels_ = 0;
};

class Belt {
public:
    Parcel next()
    {
        static const char *const towns[] = {"Aachen", "Bremen", "Celle", "Dessau", "Essen", "Fulda"};
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        return {state_ >> 24, int(state_ >> 50) % 20000, towns[(state_ >> 33) % 6]};
    }

private:
    uint64_t state_ = 7;
};

int main()
{
    auto end = Clock::now() + std::chrono::milliseconds(2000);
    std::ofstream out("manifests.csv");
    Manifest manifest;
    Belt belt;
    size_t sent = 0, manifests = 0;
    while (Clock::now() < end) {
        manifest.add(belt.next());
        if (manifest.full()) {
            sent += manifest.send(out);
            ++manifests;
        }
    }
    sent += manifest.send(out);
    std::printf("%zu parcels in %zu manifests\n", sent, manifests + 1);
}
