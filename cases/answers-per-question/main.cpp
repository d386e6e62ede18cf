// Reads questions about a table of distances from standard input, and writes an answer for each.
#include <chrono>
#include <fstream>
#include <iostream>
#include <string>
#include <sys/resource.h>
#include <vector>

using Clock = std::chrono::steady_clock;

class Distances {
public:
    explicit Distances(int towns) : towns_(towns), km_(towns * towns)
    {
        for (int a = 0; a < towns; a++)
            for (int b = 0; b < towns; b++)
                km_[a * towns + b] = a == b ? 0 : 10 + (a * 7919 + b * 104729) % 900;
        shorten();
    }

    int between(int from, int to) const { return km_[from % towns_ * towns_ + to % towns_]; }

private:
    void shorten()
    {
        for (int via = 0; via < towns_; via++)
            for (int a = 0; a < towns_; a++)
                for (int b = 0; b < towns_; b++)
                    if (int km = km_[a * towns_ + via] + km_[via * towns_ + b]; km < km_[a * towns_ + b])
                        km_[a * towns_ + b] = km;
    }

    int towns_;
    std::vector<int> km_;
};

struct Question {
    int from;
    int to;
};

static bool read_question(std::istream &in, Question &question)
{
    return static_cast<bool>(in >> question.from >> question.to);
}

static void answer(std::ostream &out, const Distances &distances, const Question &question)
{
    int km = distances.between(question.from, question.to);
    out << km << '\n';
}

static long answer_all(const Distances &distances, std::istream &in, std::ostream &out)
{
    auto end = Clock::now() + std::chrono::milliseconds(2000);
    long answered = 0;
    for (Question question; read_question(in, question); answered++) {
        answer(out, distances, question);
        if (answered % 1000 == 0 && Clock::now() > end)
            break;
    }
    return answered;
}

int main()
{
    auto start = Clock::now();
    Distances distances(160);
    long answered = answer_all(distances, std::cin, std::cout);
    double wall = std::chrono::duration<double>(Clock::now() - start).count();
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    std::ofstream("truth") << "answered " << answered << "\nwall " << wall << "\nsystem "
                           << (usage.ru_stime.tv_sec + usage.ru_stime.tv_usec / 1e6) / wall << '\n';
}
