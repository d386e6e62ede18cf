// Prints the labels of a museum's archive: each label is drawn, screened for a printer that knows only black and
// white, and packed by xz, because the printer's line is slow.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

struct Picture {
    int width, height;
    std::vector<float> gray;
};

static Picture draw_label(int number) {
    Picture picture{620, 400, {}};
    picture.gray.resize(picture.width * picture.height);
    for (int y = 0; y < picture.height; y++)
        for (int x = 0; x < picture.width; x++)
            picture.gray[y * picture.width + x] = 0.5f + 0.5f * std::sin(x * 0.02f + number) * std::cos(y * 0.03f - number);
    return picture;
}

// Direct binary search: changes dots as long as the page, seen from afar, gets nearer to the picture.
__attribute__((noinline)) static std::vector<unsigned char> screen(const Picture &picture) {
    const int w = picture.width, h = picture.height;
    std::vector<float> error(picture.gray);
    std::vector<unsigned char> dots(w * h);
    for (int round = 0; round < 12; round++)
        for (int y = 2; y < h - 2; y++)
            for (int x = 2; x < w - 2; x++) {
                float off = 0, on = 0, change = dots[y * w + x] ? 1.0f : -1.0f;
                for (int dy = -2; dy <= 2; dy++)
                    for (int dx = -2; dx <= 2; dx++) {
                        float weight = 1.0f / (2 + dx * dx + dy * dy), e = error[(y + dy) * w + x + dx];
                        off += e * e * weight;
                        e += change * weight;
                        on += e * e * weight;
                    }
                if (on >= off) continue;
                dots[y * w + x] ^= 1;
                for (int dy = -2; dy <= 2; dy++)
                    for (int dx = -2; dx <= 2; dx++) error[(y + dy) * w + x + dx] += change / (2 + dx * dx + dy * dy);
            }
    return dots;
}

static void send_packed(const std::vector<unsigned char> &dots, int number) {
    std::string command = "xz -9e -c > label-" + std::to_string(number % 10) + ".xz";
    FILE *packer = popen(command.c_str(), "w");
    if (!packer) throw std::runtime_error("xz");
    fwrite(dots.data(), 1, dots.size(), packer);
    if (pclose(packer)) throw std::runtime_error("xz failed");
}

int main() {
    auto start = Clock::now();
    Seconds screening{0}, packing{0};
    int labels = 0;
    while (Clock::now() - start < Seconds(2)) {
        Picture picture = draw_label(labels);
        auto before = Clock::now();
        auto dots = screen(picture);
        auto between = Clock::now();
        send_packed(dots, labels++);
        screening += between - before;
        packing += Clock::now() - between;
    }
    Seconds all = Clock::now() - start;
    printf("%d labels: %.2f of the time to screen, %.2f to pack\n", labels, screening / all, packing / all);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "screen %.3f\npack %.3f\n", screening / all, packing / all);
    return fclose(truth);
}
