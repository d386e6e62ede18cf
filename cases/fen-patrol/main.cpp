// Watches the water levels of a fen, and notes each reading in a log.
#include <chrono>
#include <fstream>
#include <iomanip>
#include <string>

using Clock = std::chrono::steady_clock;

static double seconds(Clock::time_point since) {
    return std::chrono::duration<double>(Clock::now() - since).count();
}

struct Reading {
    unsigned post;
    int millimetres;
    bool alarm;
};

static Reading read_post(unsigned n) {
    int millimetres = 400 + static_cast<int>(n * 2654435761u >> 24);
    return {n % 37, millimetres, millimetres > 650};
}

class Patrol {
  public:
    explicit Patrol(const std::string &path) : log(path) {}

    __attribute__((noinline)) void note(const Reading &reading) {
        log << "post " << std::setw(2) << reading.post << " level " << reading.millimetres;
        if (reading.alarm)
            log << " ALARM";
        log << std::endl;
    }

  private:
    std::ofstream log;
};

int main() {
    auto start = Clock::now();
    Patrol patrol("patrol.log");
    unsigned readings = 0, alarms = 0;
    while (seconds(start) < 2) {
        Reading reading = read_post(readings++);
        alarms += reading.alarm;
        patrol.note(reading);
    }
    std::ofstream("truth") << "readings " << readings << "\nalarms " << alarms << "\n";
}
