// A server that is started anew while its predecessor still ends: it tries to have its port every 150 ms.
#include <arpa/inet.h>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using Clock = std::chrono::steady_clock;

static double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

static bool try_to_bind(int server, int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(server, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0) return true;
    if (errno != EADDRINUSE) {
        std::perror("bind");
        std::exit(1);
    }
    return false;
}

static int wait_for_port(int server, int port) {
    int attempts = 1;
    while (!try_to_bind(server, port)) {
        attempts++;
        std::this_thread::sleep_for(std::chrono::milliseconds(150));
    }
    return attempts;
}

static int load_menu() {
    int dishes = 0;
    for (int n = 0; n < 2'000'000; n++) dishes += n * 7919 % 13 == 5;
    return dishes;
}

int main() {
    int port = 0;
    std::ifstream("ready") >> port;
    auto start = Clock::now();
    int dishes = load_menu();
    double loading = since(start);
    int server = socket(AF_INET, SOCK_STREAM, 0);
    auto before = Clock::now();
    int attempts = wait_for_port(server, port);
    double waiting = since(before);
    if (listen(server, 16) != 0) {
        std::perror("listen");
        return 1;
    }
    close(server);
    std::ofstream("truth") << "waiting " << waiting / since(start) << "\nattempts " << attempts << "\nloading_ms " << loading * 1000
        << "\ndishes " << dishes << "\n";
}
