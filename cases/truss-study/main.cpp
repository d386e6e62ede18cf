// Studies the trusses of a bridge: makes designs, loads them, solves for the forces, and keeps the lightest that hold.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

using Clock = std::chrono::steady_clock;

struct Joint {
    double x, y;
};

struct Bar {
    unsigned a, b;
    double area;
};

struct Design {
    std::vector<Joint> joints;
    std::vector<Bar> bars;
    double weight = 0, sway = 0, stress = 0;
    uint64_t mark = 0;
};

constexpr unsigned panels = 9;

static Design draft(std::mt19937_64 &random)
{
    std::uniform_real_distribution<double> height(2.5, 5.0), area(0.002, 0.02), shift(-0.3, 0.3);
    Design d;
    for (unsigned i = 0; i <= panels; i++)
        d.joints.push_back({i * 4.0, 0});
    for (unsigned i = 0; i < panels; i++)
        d.joints.push_back({i * 4.0 + 2 + shift(random), height(random)});
    for (unsigned i = 0; i < panels; i++) {
        unsigned top = panels + 1 + i;
        d.bars.push_back({i, i + 1, area(random)});
        d.bars.push_back({i, top, area(random)});
        d.bars.push_back({top, i + 1, area(random)});
        if (i + 1 < panels)
            d.bars.push_back({top, top + 1, area(random)});
    }
    return d;
}

class Matrix {
public:
    explicit Matrix(size_t n) : n_(n), v_(n * n) {}
    double &at(size_t r, size_t c) { return v_[r * n_ + c]; }
    double at(size_t r, size_t c) const { return v_[r * n_ + c]; }
    void clear() { std::fill(v_.begin(), v_.end(), 0.0); }
    size_t size() const { return n_; }

private:
    size_t n_;
    std::vector<double> v_;
};

static void assemble(const Design &d, Matrix &k)
{
    k.clear();
    for (const Bar &bar : d.bars) {
        const Joint &p = d.joints[bar.a], &q = d.joints[bar.b];
        double length = std::hypot(q.x - p.x, q.y - p.y), c = (q.x - p.x) / length, s = (q.y - p.y) / length;
        double stiffness = 2.1e8 * bar.area / length;
        std::array<double, 4> t{-c, -s, c, s};
        std::array<size_t, 4> at{bar.a * 2u, bar.a * 2u + 1, bar.b * 2u, bar.b * 2u + 1};
        for (size_t i = 0; i < 4; i++)
            for (size_t j = 0; j < 4; j++)
                k.at(at[i], at[j]) += stiffness * t[i] * t[j];
    }
    for (size_t fixed : {size_t{0}, size_t{1}, size_t{panels * 2 + 1}})
        k.at(fixed, fixed) += 1e12;
}

static void decompose(Matrix &k)
{
    for (size_t j = 0; j < k.size(); j++) {
        double d = k.at(j, j);
        for (size_t m = 0; m < j; m++)
            d -= k.at(j, m) * k.at(j, m);
        d = std::sqrt(std::max(d, 1e-9));
        k.at(j, j) = d;
        for (size_t i = j + 1; i < k.size(); i++) {
            double s = k.at(i, j);
            for (size_t m = 0; m < j; m++)
                s -= k.at(i, m) * k.at(j, m);
            k.at(i, j) = s / d;
        }
    }
}

static void solve(const Matrix &l, std::vector<double> &x)
{
    for (size_t i = 0; i < x.size(); i++) {
        for (size_t m = 0; m < i; m++)
            x[i] -= l.at(i, m) * x[m];
        x[i] /= l.at(i, i);
    }
    for (size_t i = x.size(); i-- > 0;) {
        for (size_t m = i + 1; m < x.size(); m++)
            x[i] -= l.at(m, i) * x[m];
        x[i] /= l.at(i, i);
    }
}

static void drive_over(Design &d, const Matrix &l)
{
    std::vector<double> u(l.size());
    for (unsigned step = 0; step < 24; step++) {
        std::fill(u.begin(), u.end(), 0.0);
        double lorry = step * panels / 24.0;
        for (unsigned j = 0; j <= panels; j++)
            u[j * 2 + 1] = -400 * std::exp(-(j - lorry) * (j - lorry)) - 30;
        solve(l, u);
        for (const Bar &bar : d.bars) {
            const Joint &p = d.joints[bar.a], &q = d.joints[bar.b];
            double length = std::hypot(q.x - p.x, q.y - p.y);
            double longer = ((q.x - p.x) * (u[bar.b * 2] - u[bar.a * 2]) + (q.y - p.y) * (u[bar.b * 2 + 1] - u[bar.a * 2 + 1])) / length;
            d.stress = std::max(d.stress, std::abs(2.1e8 * longer / length));
        }
        for (double v : u)
            d.sway = std::max(d.sway, std::abs(v));
    }
}

static void weigh(Design &d)
{
    for (const Bar &bar : d.bars) {
        const Joint &p = d.joints[bar.a], &q = d.joints[bar.b];
        d.weight += 7850 * bar.area * std::hypot(q.x - p.x, q.y - p.y);
    }
}

static double wind(const Design &d)
{
    double worst = 0;
    for (int angle = 0; angle < 180; angle += 2) {
        double c = std::cos(angle * M_PI / 180), s = std::sin(angle * M_PI / 180), area = 0;
        for (const Bar &bar : d.bars) {
            const Joint &p = d.joints[bar.a], &q = d.joints[bar.b];
            area += std::abs((q.x - p.x) * s - (q.y - p.y) * c) * std::sqrt(bar.area);
        }
        worst = std::max(worst, area);
    }
    return worst;
}

static double tones(const Design &d)
{
    double sum = 0;
    for (const Bar &bar : d.bars)
        for (int n = 1; n <= 12; n++)
            sum += std::pow(std::fmod(n * std::sqrt(bar.area) * 71.3, 1.0), 1.5) / n;
    return sum;
}

static uint64_t mark(const Design &d)
{
    std::string text;
    char part[64];
    for (const Bar &bar : d.bars) {
        std::snprintf(part, sizeof part, "%u-%u:%.4f;", bar.a, bar.b, bar.area);
        text += part;
    }
    uint64_t h = 1469598103934665603u;
    for (unsigned char c : text)
        h = (h ^ c) * 1099511628211u;
    return h;
}

int main()
{
    std::mt19937_64 random(5);
    std::vector<Design> kept;
    Matrix k((panels * 2 + 1) * 2);
    auto start = Clock::now();
    unsigned long designs = 0;
    double gusts = 0;
    while (Clock::now() - start < std::chrono::seconds(2)) {
        Design d = draft(random);
        assemble(d, k);
        decompose(k);
        drive_over(d, k);
        weigh(d);
        gusts += wind(d) + tones(d);
        d.mark = mark(d);
        designs++;
        kept.push_back(std::move(d));
        std::push_heap(kept.begin(), kept.end(), [](const Design &a, const Design &b) { return a.weight < b.weight; });
        if (kept.size() > 50) {
            std::pop_heap(kept.begin(), kept.end(), [](const Design &a, const Design &b) { return a.weight < b.weight; });
            kept.pop_back();
        }
    }
    const Design &best = *std::min_element(kept.begin(), kept.end(), [](const Design &a, const Design &b) { return a.weight < b.weight; });
    std::printf("%lu designs, best %016llx: %.0f kg, sway %.4f m, gusts %.1f\n", designs, static_cast<unsigned long long>(best.mark),
                best.weight, best.sway, gusts / designs);
}
