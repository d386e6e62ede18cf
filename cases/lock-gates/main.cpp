// Simulates the ships that wait at a lock: each has an appointment, and gives up if it is not called in time.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

using Clock = std::chrono::steady_clock;

enum class Kind { arrival, service, patience };

struct Event {
    double time;
    uint64_t id;
    Kind kind;
    uint32_t ship;
};

struct Later {
    bool operator()(const Event &a, const Event &b) const { return a.time > b.time; }
};

class Agenda {
public:
    uint64_t schedule(double time, Kind kind, uint32_t ship)
    {
        events_.push_back({time, ++last_, kind, ship});
        std::push_heap(events_.begin(), events_.end(), Later());
        return last_;
    }

    Event next()
    {
        std::pop_heap(events_.begin(), events_.end(), Later());
        Event e = events_.back();
        events_.pop_back();
        return e;
    }

    void cancel(uint64_t id)
    {
        auto it = std::find_if(events_.begin(), events_.end(), [id](const Event &e) { return e.id == id; });
        if (it == events_.end())
            return;
        events_.erase(it);
        std::make_heap(events_.begin(), events_.end(), Later());
    }

    size_t size() const { return events_.size(); }

private:
    std::vector<Event> events_;
    uint64_t last_ = 0;
};

struct Ship {
    uint64_t patience = 0;
    unsigned passages = 0, given_up = 0;
    double waited = 0, since = 0;
};

class Lock {
public:
    explicit Lock(uint32_t ships) : ships_(ships)
    {
        for (uint32_t s = 0; s < ships; s++)
            agenda_.schedule(uniform_(random_) * 600, Kind::arrival, s);
    }

    void step()
    {
        Event e = agenda_.next();
        now_ = e.time;
        switch (e.kind) {
        case Kind::arrival: arrive(e.ship); break;
        case Kind::service: serve(e.ship); break;
        case Kind::patience: give_up(e.ship); break;
        }
    }

    void report(double seconds) const
    {
        unsigned passages = 0, given_up = 0;
        double waited = 0;
        for (const Ship &s : ships_) {
            passages += s.passages;
            given_up += s.given_up;
            waited += s.waited;
        }
        std::printf("%u passages, %u given up, mean wait %.2f min, %zu events left, %.2f s\n", passages, given_up,
                    passages ? waited / passages : 0.0, agenda_.size(), seconds);
    }

private:
    void arrive(uint32_t s)
    {
        ships_[s].since = now_;
        ships_[s].patience = agenda_.schedule(now_ + 900 + uniform_(random_) * 900, Kind::patience, s);
        agenda_.schedule(now_ + 60 + uniform_(random_) * 500, Kind::service, s);
    }

    void serve(uint32_t s)
    {
        Ship &ship = ships_[s];
        agenda_.cancel(ship.patience);
        ship.passages++;
        ship.waited += now_ - ship.since;
        agenda_.schedule(now_ + 100 + uniform_(random_) * 800, Kind::arrival, s);
    }

    void give_up(uint32_t s)
    {
        ships_[s].given_up++;
        agenda_.schedule(now_ + 2000, Kind::arrival, s);
    }

    std::mt19937 random_{7};
    std::uniform_real_distribution<double> uniform_{0, 1};
    std::vector<Ship> ships_;
    Agenda agenda_;
    double now_ = 0;
};

int main()
{
    Lock lock(12000);
    auto start = Clock::now();
    while (Clock::now() - start < std::chrono::milliseconds(2000))
        for (int i = 0; i < 50; i++)
            lock.step();
    lock.report(std::chrono::duration<double>(Clock::now() - start).count());
}
