// Prices parcels on several threads; the tariffs come from the tariff service when they are first needed.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Parcel {
    int zone, grams;
};

class Tariffs {
public:
    static const Tariffs &instance()
    {
        static const Tariffs tariffs;
        return tariffs;
    }

    double price(const Parcel &p) const
    {
        auto it = per_kilo.find(p.zone);
        return 3.2 + (it == per_kilo.end() ? 9.0 : it->second) * p.grams / 1000;
    }

private:
    Tariffs() { load("127.0.0.1", 12589); }

    void load(const char *host, int port)
    {
        int s = socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in a{};
        a.sin_family = AF_INET;
        a.sin_port = htons(port);
        inet_pton(AF_INET, host, &a.sin_addr);
        if (connect(s, reinterpret_cast<sockaddr *>(&a), sizeof a) < 0)
            throw std::runtime_error("no tariff service");
        const char ask[] = "TARIFFS 2026\n";
        if (send(s, ask, sizeof ask - 1, 0) < 0)
            throw std::runtime_error("cannot ask");
        std::string text;
        char part[4096];
        for (ssize_t n; (n = recv(s, part, sizeof part, 0)) > 0;)
            text.append(part, n);
        close(s);
        std::istringstream in(text);
        int zone;
        double price;
        while (in >> zone >> price)
            per_kilo[zone] = price;
    }

    std::map<int, double> per_kilo;
};

double price_batch(int batch)
{
    double sum = 0;
    for (int i = 0; i < 60000; i++)
        sum += Tariffs::instance().price({(batch * 7 + i) % 120, 200 + i * 13 % 9000});
    return sum;
}

void worker(std::atomic<int> &next, int batches, double &total)
{
    for (int b; (b = next++) < batches;)
        total += price_batch(b);
}

} // namespace

int main()
{
    std::atomic<int> next{0};
    std::vector<std::thread> threads;
    std::vector<double> totals(4);
    for (double &t : totals)
        threads.emplace_back(worker, std::ref(next), 40, std::ref(t));
    double sum = 0;
    for (size_t i = 0; i < threads.size(); i++) {
        threads[i].join();
        sum += totals[i];
    }
    std::printf("%.2f for 40 batches\n", sum);
}
