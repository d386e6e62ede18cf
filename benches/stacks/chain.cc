// The chains of chain.c in C++: templates, exceptions, containers, streams.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#define KEEP __attribute__((noinline))
static volatile unsigned long sink;
static std::mutex lock;
using Clock = std::chrono::steady_clock;

static KEEP void compute(unsigned seed) {
  std::vector<unsigned> numbers(3000);
  for (auto &number : numbers) number = (seed += 0x9e3779b9) >> 7;
  std::sort(numbers.begin(), numbers.end(), [](unsigned a, unsigned b) { return a < b; });
  std::map<std::string, unsigned> names;
  std::ostringstream text;
  for (unsigned i = 0; i < 300; i++) {
    text << numbers[i] << ' ' << double(i);
    names[std::to_string(numbers[i])] += i;
  }
  for (unsigned i = 0; i < 40; i++) {
    try {
      if (numbers[i] != 1) throw std::runtime_error("thrown");
    } catch (const std::exception &error) {
      sink = sink + std::string(error.what()).size();
    }
  }
  sink = sink + names.size() + text.str().size();
}

static KEEP void wait_a_little(unsigned n) {
  auto time = std::chrono::microseconds(700);
  if (n % 2) {
    std::lock_guard<std::mutex> held(lock);
    std::this_thread::sleep_for(time);
  } else {
    std::this_thread::sleep_for(time);
  }
  sink = sink + n;
}

#define BOTTOM(n)                                                                                                      \
  static KEEP void bottom_##n() {                                                                                      \
    compute(n + unsigned(sink));                                                                                       \
    wait_a_little(n);                                                                                                  \
    sink = sink + 1;                                                                                                   \
  }
BOTTOM(0) BOTTOM(1) BOTTOM(2) BOTTOM(3) BOTTOM(4) BOTTOM(5) BOTTOM(6) BOTTOM(7)

static KEEP void turn_8(unsigned n) {
  static void (*const bottoms[])() = {bottom_0, bottom_1, bottom_2, bottom_3, bottom_4, bottom_5, bottom_6, bottom_7};
  bottoms[n]();
  sink = sink + 1;
}
#define TURN(k, next)                                                                                                  \
  static KEEP void left_##k(unsigned n) {                                                                              \
    next(n);                                                                                                           \
    sink = sink + 2 * k + 1;                                                                                           \
  }                                                                                                                    \
  static KEEP void right_##k(unsigned n) {                                                                             \
    next(n);                                                                                                           \
    sink = sink + 2 * k + 2;                                                                                           \
  }                                                                                                                    \
  static inline __attribute__((always_inline)) void turn_##k(unsigned n) {                                             \
    if (n >> (k % 3) & 1) right_##k(n);                                                                                \
    else left_##k(n);                                                                                                  \
  }
TURN(7, turn_8) TURN(6, turn_7) TURN(5, turn_6) TURN(4, turn_5) TURN(3, turn_4) TURN(2, turn_3) TURN(1, turn_2)
TURN(0, turn_1)

static void work(Clock::time_point until) {
  for (unsigned n = 0; Clock::now() < until; n++) turn_0(n % 8);
}

int main(int argc, char **argv) {
  auto time = std::chrono::duration<double>(argc > 1 ? std::atof(argv[1]) : 1);
  auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(time);
  std::thread thread(work, until);
  work(until);
  thread.join();
}
