// The board of departures: three screens ask it, and an updater brings in what the tower says.
#include <atomic>
#include <chrono>
#include <fstream>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

using namespace std::chrono;

static std::shared_mutex board_mutex;
static std::map<int, std::string> board;
static std::atomic<long> waited_us{0}, shown{0};
static steady_clock::time_point closing;

// The tower answers after 45 ms.
static std::string ask_tower(int round) {
    std::this_thread::sleep_for(milliseconds(45));
    return "gate " + std::to_string(round % 30);
}

static void update_board() {
    for (int round = 0; steady_clock::now() < closing; round++) {
        {
            std::unique_lock lock(board_mutex);
            board[round % 200] = ask_tower(round);
        }
        std::this_thread::sleep_for(milliseconds(4));
    }
}

static std::string look_up(int flight) {
    auto before = steady_clock::now();
    std::shared_lock lock(board_mutex);
    waited_us += duration_cast<microseconds>(steady_clock::now() - before).count();
    auto found = board.find(flight);
    return found == board.end() ? "see desk" : found->second;
}

static void show(int screen) {
    size_t letters = 0;
    for (int flight = screen; steady_clock::now() < closing; flight++) {
        letters += look_up(flight % 200).size();
        shown++;
        std::this_thread::sleep_for(milliseconds(1));
    }
    if (letters == 0) std::abort();
}

int main() {
    auto start = steady_clock::now();
    closing = start + seconds(2);
    std::vector<std::thread> threads;
    threads.emplace_back(update_board);
    for (int screen = 0; screen < 3; screen++) threads.emplace_back(show, screen);
    for (auto &thread : threads) thread.join();
    double took = duration<double>(steady_clock::now() - start).count();
    std::ofstream("truth") << "shown " << shown << "\nwaiting_per_screen " << waited_us / 3e6 / took << "\n";
}
