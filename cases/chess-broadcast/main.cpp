// A broadcast of a chess open: one commentator per board, who may only speak when it is the board's turn.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using Clock = std::chrono::steady_clock;

class Microphone {
public:
    explicit Microphone(unsigned boards) : boards_(boards) {}

    bool wait_for(unsigned board)
    {
        std::unique_lock<std::mutex> guard(mutex_);
        changed_.wait(guard, [&] {
            looks_++;
            return closed_ || turn_ == board;
        });
        return !closed_;
    }

    void pass_on()
    {
        std::lock_guard<std::mutex> guard(mutex_);
        turn_ = (turn_ + 1) % boards_;
        passed_++;
        changed_.notify_all();
    }

    void close()
    {
        std::lock_guard<std::mutex> guard(mutex_);
        closed_ = true;
        changed_.notify_all();
    }

    unsigned long looks() const { return looks_; }
    unsigned long passed() const { return passed_; }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    unsigned boards_, turn_ = 0;
    unsigned long looks_ = 0, passed_ = 0;
    bool closed_ = false;
};

class Commentator {
public:
    Commentator(unsigned board, Microphone &mic, Clock::time_point end) : board_(board), mic_(mic), end_(end) {}

    void run()
    {
        while (mic_.wait_for(board_)) {
            if (Clock::now() >= end_) {
                mic_.close();
                return;
            }
            speak();
            mic_.pass_on();
        }
    }

    size_t letters() const { return letters_; }

private:
    void speak()
    {
        std::string words = "board " + std::to_string(board_) + ", move " + std::to_string(++move_) + ": ";
        for (unsigned i = 0; i < 12; i++)
            words += "NBRQK"[(move_ * 7 + i * board_) % 5];
        letters_ += words.size();
    }

    unsigned board_, move_ = 0;
    size_t letters_ = 0;
    Microphone &mic_;
    Clock::time_point end_;
};

int main()
{
    const unsigned boards = 60;
    Microphone mic(boards);
    auto end = Clock::now() + std::chrono::seconds(2);
    std::vector<Commentator> commentators;
    for (unsigned b = 0; b < boards; b++)
        commentators.emplace_back(b, mic, end);
    std::vector<std::thread> threads;
    for (auto &c : commentators)
        threads.emplace_back(&Commentator::run, &c);
    for (auto &t : threads)
        t.join();
    size_t letters = 0;
    for (const auto &c : commentators)
        letters += c.letters();
    std::printf("%lu turns, %lu looks, %zu letters\n", mic.passed(), mic.looks(), letters);
}
