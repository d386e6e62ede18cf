// Shows frames that another thread brings from a camera.
#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

using Clock = std::chrono::steady_clock;

static std::atomic<int> frames{0};
static std::atomic<bool> over{false};
static long yields = 0;

static void wait_for_frame(int number) {
    while (frames.load() < number) {
        std::this_thread::yield();
        yields++;
    }
}

static void read_camera() {
    while (!over) {
        std::this_thread::sleep_for(std::chrono::milliseconds(15));
        frames++;
    }
}

int main() {
    std::thread camera(read_camera);
    auto start = Clock::now();
    int shown = 0;
    while (Clock::now() - start < std::chrono::seconds(2)) wait_for_frame(++shown);
    over = true;
    camera.join();
    std::ofstream("truth") << "frames " << shown << "\nyields " << yields << "\n";
}
