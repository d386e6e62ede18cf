// The information desk of a ferry: answers questions about departures over TCP, all at once, and waits otherwise.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

using Clock = std::chrono::steady_clock;

class Timetable {
public:
    Timetable()
    {
        for (int quay = 0; quay < 12; quay++)
            for (int minute = 5 * 60 + quay * 3; minute < 23 * 60; minute += 20 + quay)
                departures_["quay-" + std::to_string(quay)].push_back(minute);
    }

    std::string next(const std::string &quay, int minute) const
    {
        auto it = departures_.find(quay);
        if (it == departures_.end())
            return "no such quay\n";
        auto d = std::lower_bound(it->second.begin(), it->second.end(), minute);
        if (d == it->second.end())
            return "no more today\n";
        char text[32];
        std::snprintf(text, sizeof text, "%02d:%02d\n", *d / 60, *d % 60);
        return text;
    }

private:
    std::map<std::string, std::vector<int>> departures_;
};

class Desk {
public:
    bool open()
    {
        listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in a{};
        a.sin_family = AF_INET;
        a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof a;
        if (listener_ < 0 || bind(listener_, reinterpret_cast<sockaddr *>(&a), size) || listen(listener_, 64) ||
            getsockname(listener_, reinterpret_cast<sockaddr *>(&a), &size))
            return false;
        FILE *f = std::fopen("port.tmp", "w");
        if (!f)
            return false;
        std::fprintf(f, "%d\n", ntohs(a.sin_port));
        std::fclose(f);
        return std::rename("port.tmp", "port") == 0;
    }

    void serve(Clock::time_point end)
    {
        std::vector<pollfd> fds{{listener_, POLLIN, 0}};
        for (;;) {
            auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
            if (left <= 0)
                return;
            if (poll(fds.data(), fds.size(), static_cast<int>(left)) <= 0)
                continue;
            if (fds[0].revents) {
                int fd = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
                int one = 1;
                if (fd >= 0) {
                    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
                    fds.push_back({fd, POLLIN, 0});
                }
            }
            for (size_t i = 1; i < fds.size();) {
                if (fds[i].revents && !answer(fds[i].fd)) {
                    close(fds[i].fd);
                    fds.erase(fds.begin() + static_cast<long>(i));
                } else
                    i++;
            }
        }
    }

    unsigned answered() const { return answered_; }

private:
    bool answer(int fd)
    {
        char text[256];
        ssize_t n = read(fd, text, sizeof text - 1);
        if (n <= 0)
            return false;
        text[n] = 0;
        char quay[64];
        int minute;
        std::string reply = std::sscanf(text, "%63s %d", quay, &minute) == 2 ? timetable_.next(quay, minute) : "please ask again\n";
        answered_++;
        return write(fd, reply.data(), reply.size()) == static_cast<ssize_t>(reply.size());
    }

    int listener_ = -1;
    unsigned answered_ = 0;
    Timetable timetable_;
};

int main(int argc, char **argv)
{
    Desk desk;
    if (argc != 3 || std::strcmp(argv[1], "--open-for") || !desk.open()) {
        std::fprintf(stderr, "usage: ferry-info --open-for SECONDS\n");
        return 1;
    }
    desk.serve(Clock::now() + std::chrono::milliseconds(static_cast<long>(std::stod(argv[2]) * 1000)));
    std::printf("%u answers\n", desk.answered());
}
