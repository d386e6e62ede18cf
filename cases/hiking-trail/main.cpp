// Joins the track points of the hikers' devices into one trail each and measures them.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

struct Point {
    double east, north, height;
    double heart_rate;
    double seconds;
    double temperature;
};

class Trail {
  public:
    void add_point(const Point &point) {
        points_.reserve(points_.size() + 1);   // there is always room for the next one
        points_.push_back(point);
    }

    double length() const {
        double sum = 0;
        for (size_t i = 1; i < points_.size(); i++)
            sum += std::hypot(points_[i].east - points_[i - 1].east, points_[i].north - points_[i - 1].north);
        return sum;
    }

    double climb() const {
        double sum = 0;
        for (size_t i = 1; i < points_.size(); i++)
            sum += std::fmax(0, points_[i].height - points_[i - 1].height);
        return sum;
    }

    size_t size() const { return points_.size(); }

  private:
    std::vector<Point> points_;
};

// The device records a point every ten seconds.
static Point record_point(int hiker, int second) {
    double way = second * (1.0 + hiker % 5 * 0.1);
    return {way * std::cos(second / 9000.0), way * std::sin(second / 7000.0), 400 + 300 * std::sin(second / 2500.0),
            90.0 + second % 50, double(second), 12.5};
}

static Trail read_device(int hiker) {
    Trail trail;
    for (int second = 0; second < 12000; second += 10) trail.add_point(record_point(hiker, second));   // a bit over three hours
    return trail;
}

int main() {
    using Clock = std::chrono::steady_clock;
    auto start = Clock::now();
    auto since = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
    double reading = 0, longest = 0, climbed = 0;
    int hikers = 0;
    for (; since() < 2.2; hikers++) {
        double before = since();
        Trail trail = read_device(hikers);
        reading += since() - before;
        longest = std::fmax(longest, trail.length());
        climbed += trail.climb();
    }
    printf("%d hikers, longest trail %.1f km, %.0f m up\n", hikers, longest / 1000, climbed);
    std::ofstream("truth") << "share_reading " << reading / since() << "\nhikers " << hikers << "\n";
}
