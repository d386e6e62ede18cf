// The board of a canal: asks the keeper of each lock for its water level, and draws what comes.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using Clock = std::chrono::steady_clock;

static double since(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }

class Connection {
public:
    explicit Connection(const char *path)
    {
        sockaddr_un a{};
        a.sun_family = AF_UNIX;
        std::strncpy(a.sun_path, path, sizeof a.sun_path - 1);
        fd_ = socket(AF_UNIX, SOCK_STREAM, 0);
        if (connect(fd_, reinterpret_cast<sockaddr *>(&a), sizeof a)) {
            std::perror(path);
            std::exit(1);
        }
    }
    int fd() const { return fd_; }
    void ask(int lock) { out_ += "level " + std::to_string(lock) + "\n"; }

    void writable()
    {
        if (out_.empty())
            return;
        ssize_t n = write(fd_, out_.data(), out_.size());
        if (n > 0)
            out_.erase(0, n);
    }

    bool readable(std::string &line)
    {
        char buffer[256];
        ssize_t n = read(fd_, buffer, sizeof buffer);
        if (n <= 0)
            std::exit(1);
        in_.append(buffer, n);
        size_t end = in_.find('\n');
        if (end == std::string::npos)
            return false;
        line = in_.substr(0, end);
        in_.erase(0, end + 1);
        return true;
    }

private:
    int fd_;
    std::string out_, in_;
};

class Board {
public:
    void show(int lock, const std::string &level)
    {
        rows_[lock % 8] = "lock " + std::to_string(lock) + ": " + level;
        std::string all;
        for (auto &row : rows_)
            all += row + "\n";
        letters_ += all.size();
    }
    size_t letters() const { return letters_; }

private:
    std::string rows_[8];
    size_t letters_ = 0;
};

int main()
{
    auto start = Clock::now();
    Connection keeper("keeper.sock");
    Board board;
    int loop = epoll_create1(EPOLL_CLOEXEC);
    epoll_event interest{};
    interest.events = EPOLLIN | EPOLLOUT;
    epoll_ctl(loop, EPOLL_CTL_ADD, keeper.fd(), &interest);

    int lock = 0;
    long turns = 0, useful = 0;
    keeper.ask(lock);
    while (since(start) < 2.0) {
        epoll_event ready[4];
        int n = epoll_wait(loop, ready, 4, 1000);
        turns++;
        for (int i = 0; i < n; i++) {
            std::string line;
            if (ready[i].events & EPOLLOUT)
                keeper.writable();
            if (ready[i].events & EPOLLIN && keeper.readable(line)) {
                useful++;
                board.show(lock, line);
                keeper.ask(++lock);
            }
        }
    }
    std::printf("%d levels, %zu letters\n", lock, board.letters());
    std::ofstream("counts") << turns << " turns, " << useful << " with an answer\n";
}
