// Shows the spectrum of a recording: windows of 1024 samples are transformed and averaged into 64 bands.
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

using Clock = std::chrono::steady_clock;
using Samples = std::vector<std::complex<float>>;

static void transform(Samples &x) {
    const size_t n = x.size();
    for (size_t i = 1, j = 0; i < n; i++) {
        size_t bit = n >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) std::swap(x[i], x[j]);
    }
    for (size_t length = 2; length <= n; length <<= 1) {
        const std::complex<float> root = std::polar(1.0f, float(-2 * M_PI / length));
        for (size_t i = 0; i < n; i += length) {
            std::complex<float> w = 1;
            for (size_t k = 0; k < length / 2; k++, w *= root) {
                auto a = x[i + k], b = x[i + k + length / 2] * w;
                x[i + k] = a + b;
                x[i + k + length / 2] = a - b;
            }
        }
    }
}

static void load(Samples &x, size_t window) {
    for (size_t i = 0; i < x.size(); i++) x[i] = std::sin(0.2f * i + window) + 0.3f * std::sin(0.71f * i);
}

static void add_bands(const Samples &x, std::vector<double> &bands) {
    for (size_t i = 0; i < x.size() / 2; i++) bands[i * bands.size() / (x.size() / 2)] += std::norm(x[i]);
}

int main() {
    auto start = Clock::now();
    Samples x(1024);
    std::vector<double> bands(64);
    size_t windows = 0;
    while (Clock::now() - start < std::chrono::seconds(2)) {
        load(x, windows++);
        transform(x);
        add_bands(x, bands);
    }
    for (double band : bands) printf("%.1f ", 10 * std::log10(band / windows + 1e-9));
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    double cpu = t.tv_sec + t.tv_nsec * 1e-9, wall = std::chrono::duration<double>(Clock::now() - start).count();
    printf("\n%zu windows, %.2f s of CPU time in %.2f s\n", windows, cpu, wall);
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "share %.3f\n", 1 - cpu / wall);
    fclose(truth);
}
