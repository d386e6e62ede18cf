// Plays a holiday weekend at the ferry pier: vehicles wait in a long line, the first one drives aboard.
#include <chrono>
#include <cstring>
#include <fstream>
#include <vector>

using Clock = std::chrono::steady_clock;

struct Vehicle {
    unsigned id;
    unsigned length_cm;
    unsigned persons;
    char plate[20];
};

static double seconds(Clock::time_point since) {
    return std::chrono::duration<double>(Clock::now() - since).count();
}

class Pier {
  public:
    void arrive(unsigned id) {
        Vehicle vehicle{id, 380 + id * 31 % 700, 1 + id % 5, ""};
        std::strcpy(vehicle.plate, "NF-ABC");
        waiting.push_back(vehicle);
    }
    __attribute__((noinline)) Vehicle drive_aboard() {
        Vehicle first = waiting.front();
        waiting.erase(waiting.begin());
        return first;
    }
    bool empty() const { return waiting.empty(); }

  private:
    std::vector<Vehicle> waiting;
};

struct Ferry {
    unsigned used_cm = 0;
    unsigned persons = 0;
    bool fits(const Vehicle &vehicle) const { return used_cm + vehicle.length_cm < 60000; }
    void take(const Vehicle &vehicle) {
        used_cm += vehicle.length_cm;
        persons += vehicle.persons;
    }
};

int main() {
    auto start = Clock::now();
    Pier pier;
    unsigned arrived = 0, trips = 0, persons = 0;
    while (arrived < 90000)
        pier.arrive(arrived++);
    double boarding = 0;
    Ferry ferry;
    while (!pier.empty() && seconds(start) < 2) {
        auto before = Clock::now();
        Vehicle vehicle = pier.drive_aboard();
        boarding += seconds(before);
        if (!ferry.fits(vehicle)) {
            persons += ferry.persons;
            trips++;
            ferry = Ferry();
        }
        ferry.take(vehicle);
        if (arrived % 3)
            pier.arrive(arrived);
        arrived++;
    }
    std::ofstream("truth") << "share " << boarding / seconds(start) << "\ntrips " << trips << "\npersons " << persons << "\n";
}
