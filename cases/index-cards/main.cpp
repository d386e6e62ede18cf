// Fills in index cards: asks an archive for the shelf of each title.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using Clock = std::chrono::steady_clock;

static double since(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }

class Archive {
public:
    std::string shelf_of(const std::string &title)
    {
        auto t = Clock::now();
        int fd = connect_to("archive.sock");
        std::string question = title + "\n", answer;
        if (write(fd, question.data(), question.size()) != ssize_t(question.size()))
            std::exit(1);
        char part[256];
        for (ssize_t n; (n = read(fd, part, sizeof part)) > 0;)
            answer.append(part, n);
        close(fd);
        asked_ += since(t);
        return answer;
    }
    double asked() const { return asked_; }

private:
    static int connect_to(const char *path)
    {
        sockaddr_un a{};
        a.sun_family = AF_UNIX;
        std::strncpy(a.sun_path, path, sizeof a.sun_path - 1);
        int fd = socket(AF_UNIX, SOCK_STREAM, 0);
        if (connect(fd, reinterpret_cast<sockaddr *>(&a), sizeof a)) {
            std::perror(path);
            std::exit(1);
        }
        return fd;
    }
    double asked_ = 0;
};

int main()
{
    auto start = Clock::now();
    Archive archive;
    std::map<std::string, int> per_shelf;
    int cards = 0;
    while (since(start) < 2.0)
        per_shelf[archive.shelf_of("title " + std::to_string(cards++ * 37 % 5000))]++;
    std::printf("%d cards, %zu shelves\n", cards, per_shelf.size());
    std::ofstream("truth") << "share " << archive.asked() / since(start) << "\ncards " << cards << "\n";
}
