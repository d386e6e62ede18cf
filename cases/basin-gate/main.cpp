// Lets the boats of a harbour through its basin, one after the other, and counts their passages.
#include "basin.h"
#include <chrono>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

using Clock = std::chrono::steady_clock;
static Clock::duration waited{};

struct Boat {
    std::string name;
    unsigned draught;
};

__attribute__((noinline)) static void enter_basin(basin *b) {
    auto before = Clock::now();
    while (sem_wait(&b->permit) != 0) {
    }
    waited += Clock::now() - before;
}

__attribute__((noinline)) static unsigned pass(basin *b, const Boat &boat) {
    enter_basin(b);
    unsigned water = 30 + b->passages++ % 7;
    sem_post(&b->permit);
    return boat.draught < water ? 1 : 0;
}

int main() {
    basin *b = map_basin(0);
    if (!b) {
        std::cerr << "there is no basin\n";
        return 1;
    }
    std::vector<Boat> boats{{"Anna", 12}, {"Seeteufel", 34}, {"Mowe", 9}, {"Hilda", 28}};
    auto start = Clock::now();
    unsigned passed = 0, asked = 0;
    while (Clock::now() - start < std::chrono::seconds(2))
        passed += pass(b, boats[asked++ % boats.size()]);
    double share = std::chrono::duration<double>(waited) / std::chrono::duration<double>(Clock::now() - start);
    std::ofstream("truth") << "share " << share << "\nasked " << asked << "\npassed " << passed << "\n";
}
