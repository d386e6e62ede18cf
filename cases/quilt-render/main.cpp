// Draws a large quilt pattern with one thread per half.
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <thread>
#include <vector>

struct Half {
    int first_row, last_row;
    uint64_t threads_used = 0;   // metres of thread, of the sewing kind
    double cpu_seconds = 0;
};

static const int kColumns = 900;

// Colour of one patch: a few rounds of the mixing rule that the pattern book gives.
static uint32_t draw_patch(uint32_t row, uint32_t column) {
    uint32_t colour = row * 2654435761u ^ column * 40503u;
    for (int stitch = 0; stitch < 1500; stitch++) {
        colour ^= colour << 13;
        colour ^= colour >> 17;
        colour ^= colour << 5;
    }
    return colour;
}

static void use_core(int worker) {
    cpu_set_t before, wanted;
    sched_getaffinity(0, sizeof before, &before);
    int core = worker / 2;   // two threads share a core
    CPU_ZERO(&wanted);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &before) && core-- == 0) CPU_SET(cpu, &wanted);
    pthread_setaffinity_np(pthread_self(), sizeof wanted, &wanted);
}

static void draw_rows(int worker, Half &half) {
    char name[16];
    snprintf(name, sizeof name, "needle-%d", worker);
    pthread_setname_np(pthread_self(), name);
    use_core(worker);
    for (int row = half.first_row; row < half.last_row; row++)
        for (int column = 0; column < kColumns; column++) half.threads_used += draw_patch(row, column) % 7;
    timespec cpu;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
    half.cpu_seconds = cpu.tv_sec + cpu.tv_nsec * 1e-9;
}

int main() {
    auto start = std::chrono::steady_clock::now();
    std::vector<Half> halves{{0, 300}, {300, 600}};
    std::vector<std::thread> workers;
    for (int worker = 0; worker < 2; worker++)
        workers.emplace_back(draw_rows, worker, std::ref(halves[worker]));
    for (auto &worker : workers) worker.join();
    double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    double cpu = halves[0].cpu_seconds + halves[1].cpu_seconds;
    printf("thread needed: %llu m\n", (unsigned long long)(halves[0].threads_used + halves[1].threads_used));
    std::ofstream("truth") << "wall " << wall << "\ncpus_used " << cpu / wall << "\n";
}
