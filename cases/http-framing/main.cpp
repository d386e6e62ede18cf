// A proxy's upload filter: reads requests from a capture in pieces as they came off the wire and counts multipart parts.
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

using Clock = std::chrono::steady_clock;

class Capture {
public:
    Capture(size_t bytes, size_t segment) : segment_(segment)
    {
        body_.reserve(bytes);
        unsigned state = 12345;
        while (body_.size() < bytes) {
            state = state * 1103515245 + 12345;
            body_ += static_cast<char>('-' + (state >> 16) % 70);
        }
        body_ += "\r\n--edge--\r\n";
    }

    bool next(std::string &piece)
    {
        if (at_ >= body_.size())
            return false;
        piece.assign(body_, at_, segment_);
        at_ += piece.size();
        return true;
    }

    void rewind() { at_ = 0; }

private:
    std::string body_;
    size_t segment_, at_ = 0;
};

class UploadFilter {
public:
    explicit UploadFilter(std::string boundary) : boundary_("\r\n--" + boundary) {}

    void feed(const std::string &piece)
    {
        pending_ += piece;
        size_t end;
        while ((end = find_boundary()) != std::string::npos) {
            parts_++;
            bytes_ += end;
            pending_.erase(0, end + boundary_.size());
        }
    }

    void finish()
    {
        bytes_ += pending_.size();
        pending_.clear();
    }

    long parts() const { return parts_; }
    long bytes() const { return bytes_; }

private:
    size_t find_boundary() const
    {
        for (size_t i = 0; i + boundary_.size() <= pending_.size(); i++)
            if (pending_[i] == boundary_[0] && pending_.compare(i, boundary_.size(), boundary_) == 0)
                return i;
        return std::string::npos;
    }

    std::string boundary_, pending_;
    long parts_ = 0, bytes_ = 0;
};

int main()
{
    Capture capture(1 << 20, 1460);
    UploadFilter filter("edge");
    auto start = Clock::now();
    int uploads = 0;
    std::string piece;
    while (Clock::now() - start < std::chrono::milliseconds(1500)) {
        capture.rewind();
        while (capture.next(piece))
            filter.feed(piece);
        filter.finish();
        uploads++;
    }
    std::printf("%d uploads, %ld parts, %ld bytes\n", uploads, filter.parts(), filter.bytes());
}
