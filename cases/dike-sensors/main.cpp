// Asks the sensors of a dike for the water level over a Unix socket.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using Clock = std::chrono::steady_clock;

static double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

static int call_dike() {
    int line = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    strcpy(address.sun_path, "dike.sock");
    if (connect(line, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0) {
        perror("dike.sock");
        exit(1);
    }
    return line;
}

static int water_level(int line, int sensor) {
    std::string question = "level " + std::to_string(sensor) + "\n";
    char answer[64] = "";
    if (send(line, question.data(), question.size(), 0) < 0 || recv(line, answer, sizeof answer - 1, 0) <= 0)
        exit(1);
    return atoi(answer);
}

int main() {
    int line = call_dike(), asked = 0;
    long levels = 0;
    double waited = 0;
    auto start = Clock::now();
    for (; since(start) < 2; asked++) {
        auto before = Clock::now();
        levels += water_level(line, asked % 40);
        waited += since(before);
    }
    std::ofstream("truth") << "waited " << waited / since(start) << "\nasked " << asked << "\nlevels " << levels << "\n";
    close(line);
}
