// Plays an organ: one thread reads the score, one per manual sounds the notes that come through its ring.
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using Clock = std::chrono::steady_clock;

struct Note {
    int pitch;
    int ticks;
    double force;
};

class Ring {
public:
    void push(const Note &n)
    {
        unsigned at = head_.load(std::memory_order_relaxed);
        while (at - tail_.load(std::memory_order_acquire) == room)
            std::this_thread::yield();
        notes_[at % room] = n;
        head_.store(at + 1, std::memory_order_release);
    }

    bool pop(Note &n)
    {
        unsigned at = tail_.load(std::memory_order_relaxed);
        while (at == head_.load(std::memory_order_acquire)) {
            if (closed_.load(std::memory_order_acquire))
                return false;
            looks_++;
        }
        n = notes_[at % room];
        tail_.store(at + 1, std::memory_order_release);
        return true;
    }

    void close() { closed_.store(true, std::memory_order_release); }
    unsigned long looks() const { return looks_; }

private:
    static constexpr unsigned room = 256;
    std::array<Note, room> notes_;
    alignas(64) std::atomic<unsigned> head_{0};
    alignas(64) std::atomic<unsigned> tail_{0};
    std::atomic<bool> closed_{false};
    unsigned long looks_ = 0;
};

class Manual {
public:
    explicit Manual(Ring &ring) : ring_(ring) {}

    void play()
    {
        Note n;
        while (ring_.pop(n)) {
            auto t = Clock::now();
            double wave = 0;
            for (int i = 0; i < n.ticks; i++)
                wave += n.force * std::sin(i * 0.02 * n.pitch);
            loudness += wave * wave;
            notes++;
            sounding += std::chrono::duration<double>(Clock::now() - t).count();
        }
    }

    double loudness = 0, sounding = 0;
    unsigned notes = 0;

private:
    Ring &ring_;
};

static Note read_note(unsigned number)
{
    unsigned s = number * 2654435761u;
    double force = 0;
    for (int i = 1; i < 2500; i++)
        force += std::pow((s >> i % 16 & 255) / 256.0, 1.0 + i % 3 * 0.5);
    return {static_cast<int>(40 + s % 48), 300, force / 2500};
}

int main()
{
    constexpr unsigned manuals = 3;
    std::vector<std::unique_ptr<Ring>> rings;
    std::vector<Manual> players;
    for (unsigned m = 0; m < manuals; m++) {
        rings.push_back(std::make_unique<Ring>());
        players.emplace_back(*rings.back());
    }
    std::vector<std::thread> threads;
    for (Manual &p : players)
        threads.emplace_back(&Manual::play, &p);
    auto start = Clock::now();
    unsigned n = 0;
    while (Clock::now() - start < std::chrono::seconds(2)) {
        rings[n % manuals]->push(read_note(n));
        n++;
    }
    for (auto &r : rings)
        r->close();
    for (auto &t : threads)
        t.join();
    double sounding = 0;
    unsigned long looks = 0;
    for (unsigned m = 0; m < manuals; m++) {
        sounding += players[m].sounding;
        looks += rings[m]->looks();
    }
    std::printf("%u notes, sounding %.3f s, %lu looks into empty rings\n", n, sounding, looks);
}
