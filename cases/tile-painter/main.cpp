// Paints the tiles of a bathroom, all at the same time.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <future>
#include <mutex>
#include <vector>

using Clock = std::chrono::steady_clock;

struct Tile {
    int column, row;
    double shine = 0;
};

class Wall {
public:
    Wall(int columns, int rows) : tiles_(columns * rows)
    {
        for (int i = 0; i < columns * rows; i++)
            tiles_[i] = {i % columns, i / columns};
    }

    void paint_all()
    {
        for (Tile &tile : tiles_)
            std::async(std::launch::async, [&tile] { paint(tile); });
    }

    double shine() const
    {
        double sum = 0;
        for (const Tile &tile : tiles_)
            sum += tile.shine;
        return sum / tiles_.size();
    }

private:
    static void paint(Tile &tile)
    {
        double sum = 0;
        for (int y = 0; y < 480; y++)
            for (int x = 0; x < 480; x++)
                sum += std::sin(x * 0.02 + tile.column) * std::cos(y * 0.03 + tile.row);
        tile.shine = sum / (480 * 480);
    }

    std::vector<Tile> tiles_;
};

int main()
{
    auto end = Clock::now() + std::chrono::milliseconds(2000);
    int walls = 0;
    double shine = 0;
    while (Clock::now() < end) {
        Wall wall(6, 4);
        wall.paint_all();
        shine += wall.shine();
        walls++;
    }
    std::printf("%d walls, %.4f\n", walls, shine / walls);
}
