// Solves the equations of a heated plate by conjugate gradients. Two threads have half of the rows each, and meet at a
// barrier after each step of some milliseconds.
#include <pthread.h>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <thread>
#include <vector>

using Clock = std::chrono::steady_clock;
using Field = std::vector<double>;

constexpr int Width = 1200, Height = 1200, Workers = 2;

struct Solver {
    Field x, r, p, q;
    double partial[Workers][8] = {};
    double rr = 0;
    bool stop = false;
    int steps = 0;
    pthread_barrier_t barrier;
    Clock::time_point end;

    Solver() : x(Width * Height), r(Width * Height), p(Width * Height), q(Width * Height) {
        for (int i = 0; i < Width * Height; i++) r[i] = p[i] = std::sin(i * 0.001) + (i % 97 == 0), rr += r[i] * r[i];
        pthread_barrier_init(&barrier, nullptr, Workers);
    }

    double meet(int worker, double value) {
        partial[worker][0] = value;
        pthread_barrier_wait(&barrier);
        double sum = 0;
        for (auto &part : partial) sum += part[0];
        pthread_barrier_wait(&barrier);
        return sum;
    }

    double multiply(int from, int to) {
        double pq = 0;
        for (int y = from; y < to; y++)
            for (int x = 0; x < Width; x++) {
                int i = y * Width + x;
                double sum = 4.01 * p[i];
                if (x > 0) sum -= p[i - 1];
                if (x < Width - 1) sum -= p[i + 1];
                if (y > 0) sum -= p[i - Width];
                if (y < Height - 1) sum -= p[i + Width];
                q[i] = sum;
                pq += sum * p[i];
            }
        return pq;
    }

    double correct(int from, int to, double alpha) {
        double sum = 0;
        for (int i = from * Width; i < to * Width; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
            sum += r[i] * r[i];
        }
        return sum;
    }

    void turn(int from, int to, double beta) {
        for (int i = from * Width; i < to * Width; i++) p[i] = r[i] + beta * p[i];
    }

    void run(int worker) {
        int from = Height * worker / Workers, to = Height * (worker + 1) / Workers;
        double old = rr;
        for (;;) {
            double pq = meet(worker, multiply(from, to));
            double next = meet(worker, correct(from, to, old / pq));
            turn(from, to, next / old);
            old = next;
            if (worker == 0) steps++, stop = Clock::now() > end;
            pthread_barrier_wait(&barrier);
            if (stop || next < 1e-20) break;
        }
        if (worker == 0) rr = old;
    }
};

int main() {
    Solver solver;
    solver.end = Clock::now() + std::chrono::seconds(2);
    std::thread other([&] { solver.run(1); });
    solver.run(0);
    other.join();
    printf("%d steps, remainder %g\n", solver.steps, std::sqrt(solver.rr));
}
