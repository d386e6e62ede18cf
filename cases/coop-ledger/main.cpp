// Answers questions about the accounts of a cooperative; a polite thread keeps the ranking of its members.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

struct Account {
    int member;
    long cents;
};

class Ledger {
public:
    explicit Ledger(int members)
    {
        for (int i = 0; i < members; i++)
            accounts.push_back({i, (i * 7919L) % 100003});
    }

    long balance(int member)
    {
        std::lock_guard<std::mutex> guard(mutex);
        return accounts[member % accounts.size()].cents;
    }

    void book(int member, long cents)
    {
        std::lock_guard<std::mutex> guard(mutex);
        accounts[member % accounts.size()].cents += cents;
    }

    void make_ranking()
    {
        std::lock_guard<std::mutex> guard(mutex);
        ranking = accounts;
        std::sort(ranking.begin(), ranking.end(), [](const Account &a, const Account &b) { return a.cents > b.cents; });
    }

private:
    std::mutex mutex;
    std::vector<Account> accounts, ranking;
};

void keep_ranking(Ledger &ledger, std::atomic<bool> &stop)
{
    // statistics must not disturb anybody
    setpriority(PRIO_PROCESS, gettid(), 19);
    while (!stop) {
        ledger.make_ranking();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

double answer_questions(Ledger &ledger, Clock::time_point until, int &answered)
{
    double slow = 0;
    for (int n = 0; Clock::now() < until; n++) {
        auto t = Clock::now();
        long had = ledger.balance(n * 31);
        ledger.book(n * 31, had % 2 ? 10 : -10);
        std::chrono::duration<double> d = Clock::now() - t;
        slow += d.count() > 0.005 ? d.count() : 0;
        answered++;
        std::this_thread::sleep_for(std::chrono::microseconds(500));
    }
    return slow;
}

} // namespace

int main()
{
    Ledger ledger(30000);
    std::atomic<bool> stop{false};
    std::thread ranking(keep_ranking, std::ref(ledger), std::ref(stop));
    int answered = 0;
    double slow = answer_questions(ledger, Clock::now() + std::chrono::milliseconds(2000), answered);
    stop = true;
    ranking.join();
    std::printf("%d questions, %.2f s in slow ones\n", answered, slow);
}
