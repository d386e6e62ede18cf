// Mirrors the list of drawings of a workshop: inotify tells of changes, and the list of sizes is kept up to date.
#include <chrono>
#include <cstdio>
#include <dirent.h>
#include <fcntl.h>
#include <map>
#include <poll.h>
#include <string>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using Clock = std::chrono::steady_clock;

struct Drawing {
    long size;
    long changed;
};

class Mirror {
public:
    explicit Mirror(std::string root) : root_(std::move(root)), watch_(inotify_init1(IN_CLOEXEC)) {}

    bool start()
    {
        return watch_ >= 0 && read_folder(root_, true);
    }

    void follow(Clock::time_point end)
    {
        char buffer[4096];
        while (Clock::now() < end) {
            pollfd p{watch_, POLLIN, 0};
            if (poll(&p, 1, 20) <= 0)
                continue;
            ssize_t n = read(watch_, buffer, sizeof buffer);
            for (char *at = buffer; at < buffer + n;) {
                auto *event = reinterpret_cast<inotify_event *>(at);
                at += sizeof *event + event->len;
                on_change(*event);
                if (Clock::now() >= end)
                    return;
            }
        }
    }

    void report() const
    {
        long bytes = 0;
        for (const auto &[name, d] : drawings_)
            bytes += d.size;
        std::printf("%u events, %zu drawings, %ld bytes\n", events_, drawings_.size(), bytes);
    }

private:
    void on_change(const inotify_event &event)
    {
        if (event.mask & (IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE)) {
            events_++;
            read_folder(root_, false);
        }
    }

    bool read_folder(const std::string &folder, bool watch)
    {
        if (watch && inotify_add_watch(watch_, folder.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE) < 0)
            return false;
        DIR *d = opendir(folder.c_str());
        if (!d)
            return false;
        while (dirent *e = readdir(d)) {
            std::string name = e->d_name;
            if (name == "." || name == "..")
                continue;
            std::string path = folder + "/" + name;
            struct stat s;
            if (stat(path.c_str(), &s))
                continue;
            if (S_ISDIR(s.st_mode))
                read_folder(path, watch);
            else
                drawings_[path] = {s.st_size, s.st_mtime};
        }
        closedir(d);
        return true;
    }

    std::string root_;
    int watch_;
    unsigned events_ = 0;
    std::map<std::string, Drawing> drawings_;
};

int main()
{
    Mirror mirror("drawings");
    if (!mirror.start()) {
        std::perror("drawings");
        return 1;
    }
    mirror.follow(Clock::now() + std::chrono::seconds(2));
    mirror.report();
}
