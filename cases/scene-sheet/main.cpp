// Draws the sheets of a stage designer: a scene is a tree of lamps, walls, drapes and so on, and each kind
// is drawn in its own way.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

struct Node {
    virtual ~Node() = default;
    float x = 0, y = 0;
};
struct Solid : virtual Node { float depth = 1; };
struct Light : virtual Node { float watts = 500; };
struct Wall : Solid { float height = 3; };
struct Door : Wall { float angle = 0; };
struct Window : Wall { float panes = 4; };
struct Platform : Solid { float width = 2; };
struct Stairs : Platform { int steps = 5; };
struct Drape : Solid { float folds = 12; };
struct Spot : Light { float cone = 20; };
struct Flood : Light { float spread = 90; };
struct Follow : Spot { float speed = 1; };
struct Lantern : Solid, Light { float flicker = 0.1f; };

static const int side = 64;

class Sheet {
public:
    Sheet() : dots_(side * side) {}

    void draw(const Node &node) {
        if (auto *door = dynamic_cast<const Door *>(&node))
            stroke(node, door->height * std::cos(door->angle));
        else if (auto *window = dynamic_cast<const Window *>(&node))
            stroke(node, window->height / window->panes);
        else if (auto *stairs = dynamic_cast<const Stairs *>(&node))
            stroke(node, stairs->width * stairs->steps);
        else if (auto *drape = dynamic_cast<const Drape *>(&node))
            stroke(node, drape->folds * drape->depth);
        else if (auto *follow = dynamic_cast<const Follow *>(&node))
            stroke(node, follow->cone * follow->speed);
        else if (auto *lantern = dynamic_cast<const Lantern *>(&node))
            stroke(node, lantern->watts * lantern->flicker);
        else if (auto *flood = dynamic_cast<const Flood *>(&node))
            stroke(node, flood->watts / flood->spread);
        else if (auto *spot = dynamic_cast<const Spot *>(&node))
            stroke(node, spot->watts / spot->cone);
        else if (auto *platform = dynamic_cast<const Platform *>(&node))
            stroke(node, platform->width);
        else if (auto *wall = dynamic_cast<const Wall *>(&node))
            stroke(node, wall->height);
    }

    double ink() const {
        double sum = 0;
        for (float dot : dots_)
            sum += dot;
        return sum;
    }

private:
    void stroke(const Node &node, float weight) {
        const int x = static_cast<int>(node.x), y = static_cast<int>(node.y);
        for (int i = 0; i < 14; i++) {
            float &dot = dots_[(y + i / 8) % side * side + (x + i) % side];
            dot = 0.98f * dot + weight / (1 + std::sqrt(static_cast<float>(i)));
        }
    }

    std::vector<float> dots_;
};

static std::unique_ptr<Node> make(unsigned kind) {
    switch (kind % 10) {
    case 0: return std::make_unique<Door>();
    case 1: return std::make_unique<Window>();
    case 2: return std::make_unique<Stairs>();
    case 3: return std::make_unique<Drape>();
    case 4: return std::make_unique<Follow>();
    case 5: return std::make_unique<Lantern>();
    case 6: return std::make_unique<Flood>();
    case 7: return std::make_unique<Spot>();
    case 8: return std::make_unique<Platform>();
    default: return std::make_unique<Wall>();
    }
}

int main() {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::seconds(2);
    std::vector<std::unique_ptr<Node>> scene;
    for (unsigned i = 0; i < 900; i++) {
        scene.push_back(make(i * 7 + i / 3));
        scene.back()->x = static_cast<float>(i * 37 % side);
        scene.back()->y = static_cast<float>(i * 11 % side);
    }
    Sheet sheet;
    unsigned sheets = 0;
    while (Clock::now() < end) {
        for (const auto &node : scene)
            sheet.draw(*node);
        sheets++;
    }
    std::printf("%u sheets, ink %.1f\n", sheets, sheet.ink());
}
