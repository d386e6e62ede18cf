// Gives the machines of a cooperative to its farms: jobs wait in the order of their time; each new day
// the holidays of a village are asked for.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using Clock = std::chrono::steady_clock;

struct Job {
    unsigned long time;
    unsigned farm;
    unsigned machine;
};

class Plan {
public:
    void enqueue(const Job &job) {
        auto at = jobs_.begin();
        while (at != jobs_.end() && at->time <= job.time)
            ++at;
        jobs_.insert(at, job);
    }

    Job next() {
        Job job = jobs_.front();
        jobs_.pop_front();
        return job;
    }

    std::size_t size() const { return jobs_.size(); }

private:
    std::list<Job> jobs_;
};

class Holidays {
public:
    Holidays() : line_(socket(AF_UNIX, SOCK_STREAM, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::strcpy(address.sun_path, "holidays.sock");
        if (connect(line_, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0) {
            std::perror("holidays.sock");
            std::exit(1);
        }
    }

    bool free_day(unsigned day, unsigned village) {
        unsigned question[2] = {day, village};
        char answer = 0;
        if (write(line_, question, sizeof question) != sizeof question || read(line_, &answer, 1) != 1)
            std::exit(1);
        return answer != 0;
    }

private:
    int line_;
};

static unsigned long draw() {
    static unsigned long state = 88172645463325252ul;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static double seconds(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

int main() {
    Plan plan;
    for (unsigned i = 0; i < 6000; i++)
        plan.enqueue({500ul * (6000 - i), i % 300, i % 9});
    Holidays holidays;
    const auto start = Clock::now(), end = start + std::chrono::seconds(2);
    Clock::duration queueing{}, asking{};
    unsigned days = 0, free = 0, done = 0;
    while (Clock::now() < end) {
        const auto morning = Clock::now();
        for (int i = 0; i < 520; i++, done++) {
            Job job = plan.next();
            job.time += draw() % 6'000'000;
            plan.enqueue(job);
        }
        const auto noon = Clock::now();
        free += holidays.free_day(days, days % 900);
        asking += Clock::now() - noon;
        queueing += noon - morning;
        days++;
    }
    const double wall = seconds(Clock::now() - start);
    std::printf("%u days, %u free, %u jobs done; queue %.3f, holidays %.3f\n", days, free, done,
                seconds(queueing) / wall, seconds(asking) / wall);
}
