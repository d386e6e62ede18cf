// Refines the meshes of car parts, one part per thread: triangles that are too large are cut in four.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

using Clock = std::chrono::steady_clock;

struct Point { float x, y, z; };

struct Patch {                                   // 32 triangles, with room for their attributes
    std::unique_ptr<float[]> attributes;
    Point corners[3];
    int depth;
    Patch(Point a, Point b, Point c, int depth) : attributes(new float[500 + 40 * depth]), corners{a, b, c}, depth(depth) { attributes[0] = a.x; }
};

static Point middle(const Point &a, const Point &b) { return {(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2 + 0.01f}; }

static float area(const Patch &p) {
    float ux = p.corners[1].x - p.corners[0].x, uy = p.corners[1].y - p.corners[0].y;
    float vx = p.corners[2].x - p.corners[0].x, vy = p.corners[2].y - p.corners[0].y;
    return std::fabs(ux * vy - uy * vx) / 2;
}

__attribute__((noinline)) static size_t refine(float size, float limit) {
    std::vector<std::unique_ptr<Patch>> open;
    size_t done = 0;
    open.push_back(std::make_unique<Patch>(Point{0, 0, 0}, Point{size, 0, 0}, Point{0, size, 0}, 0));
    while (!open.empty()) {
        auto patch = std::move(open.back());
        open.pop_back();
        if (area(*patch) < limit) { done++; continue; }
        auto &[a, b, c] = patch->corners;
        Point ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
        int depth = patch->depth + 1;
        open.push_back(std::make_unique<Patch>(a, ab, ca, depth));
        open.push_back(std::make_unique<Patch>(ab, b, bc, depth));
        open.push_back(std::make_unique<Patch>(ca, bc, c, depth));
        open.push_back(std::make_unique<Patch>(ab, bc, ca, depth));
    }
    return done;
}

static void work(int part, Clock::time_point end, size_t *triangles) {
    while (Clock::now() < end) *triangles += refine(10 + part, 0.01f);
}

int main() {
    auto end = Clock::now() + std::chrono::seconds(2);
    size_t triangles[4] = {};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++) threads.emplace_back(work, i, end, &triangles[i]);
    size_t sum = 0;
    for (int i = 0; i < 4; i++) { threads[i].join(); sum += triangles[i]; }
    printf("%.2f million triangles\n", sum / 1e6);
}
