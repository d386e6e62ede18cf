// Computes the colors of a quilt. Each square is a task of its own.
#include <chrono>
#include <fstream>
#include <future>
#include <vector>

static int square(int row, int column) {
    unsigned color = row * 2654435761u + column * 40503u;
    for (int step = 0; step < 300; step++) color = color * 1664525u + 1013904223u + (color >> 13);
    return color >> 24;
}

static long sew_row(int row) {
    std::vector<std::future<int>> squares;
    for (int column = 0; column < 40; column++) squares.push_back(std::async(std::launch::async, square, row, column));
    long sum = 0;
    for (auto &color : squares) sum += color.get();
    return sum;
}

int main() {
    auto start = std::chrono::steady_clock::now();
    int rows = 0;
    long sum = 0;
    while (std::chrono::steady_clock::now() - start < std::chrono::seconds(2)) sum += sew_row(rows++);
    std::ofstream("truth") << "rows " << rows << "\nsum " << sum << "\n";
}
