// Moves stock between two warehouses: a transfer keeps both of them locked, and is given up if one stays busy.
#include <chrono>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <thread>

using Clock = std::chrono::steady_clock;

struct Warehouse {
    const char *city;
    long pallets;
    std::timed_mutex door;
};

struct Tally {
    int moved = 0, given_up = 0;
    double waited = 0;
};

static void load_lorry(const Warehouse &from)
{
    volatile unsigned list = static_cast<unsigned>(from.pallets);
    for (int i = 0; i < 2000000; i++)
        list = list * 1664525 + 1013904223;
}

static bool transfer(Warehouse &from, Warehouse &to, Tally &tally)
{
    from.door.lock();
    load_lorry(from);
    auto before = Clock::now();
    bool open = to.door.try_lock_for(std::chrono::milliseconds(300));
    tally.waited += std::chrono::duration<double>(Clock::now() - before).count();
    if (open) {
        from.pallets--;
        to.pallets++;
        to.door.unlock();
    }
    from.door.unlock();
    return open;
}

static void drive(Warehouse &from, Warehouse &to, Clock::time_point end, Tally &tally)
{
    while (Clock::now() < end)
        (transfer(from, to, tally) ? tally.moved : tally.given_up)++;
}

int main()
{
    Warehouse north{"north", 100000, {}}, south{"south", 100000, {}};
    Tally up, down;
    auto start = Clock::now();
    auto end = start + std::chrono::seconds(2);
    std::thread a([&] { drive(south, north, end, up); });
    std::thread b([&] { drive(north, south, end, down); });
    a.join();
    b.join();
    double wall = std::chrono::duration<double>(Clock::now() - start).count();
    std::ofstream("truth") << "waiting " << (up.waited + down.waited) / 2 / wall << "\n";
    std::printf("%d moved, %d given up\n", up.moved + down.moved, up.given_up + down.given_up);
}
