// Denoises a recording: each block is transformed by a fast Fourier transform, weak tones are taken out,
// and it is transformed back and added to its neighbours.
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

using Complex = std::complex<float>;
static constexpr int size = 4096;

class Transform {
public:
    Transform() : roots_(size / 2), order_(size) {
        for (int i = 0; i < size / 2; i++)
            roots_[i] = std::polar(1.0f, static_cast<float>(-2 * M_PI * i / size));
        for (int i = 1, j = 0; i < size; i++) {
            int bit = size >> 1;
            for (; j & bit; bit >>= 1)
                j ^= bit;
            order_[i] = j ^= bit;
        }
    }

    void run(std::vector<Complex> &data) const {
        for (int i = 0; i < size; i++)
            if (i < order_[i])
                std::swap(data[i], data[order_[i]]);
        for (int length = 2; length <= size; length *= 2)
            for (int begin = 0; begin < size; begin += length)
                for (int k = 0; k < length / 2; k++) {
                    const Complex &root = roots_[k * (size / length)], b = data[begin + k + length / 2];
                    const Complex odd(b.real() * root.real() - b.imag() * root.imag(),
                                      b.real() * root.imag() + b.imag() * root.real());
                    const Complex even = data[begin + k];
                    data[begin + k] = even + odd;
                    data[begin + k + length / 2] = even - odd;
                }
    }

private:
    std::vector<Complex> roots_;
    std::vector<int> order_;
};

static void record(std::vector<Complex> &block, unsigned serial) {
    unsigned noise = serial * 2654435761u + 1;
    float a = 1, b = 0;
    const float c = std::cos(0.031f + serial % 7 * 0.01f), s = std::sin(0.031f + serial % 7 * 0.01f);
    for (Complex &sample : block) {
        noise = noise * 1664525u + 1013904223u;
        const float next = a * c - b * s;
        b = a * s + b * c;
        a = next;
        sample = Complex(a + static_cast<float>(noise >> 20) / 8192.0f, 0);
    }
}

static int clean(std::vector<Complex> &block) {
    int kept = 0;
    for (Complex &tone : block) {
        if (std::norm(tone) < 5000.0f)
            tone = 0;
        else
            kept++;
        tone = std::conj(tone);
    }
    return kept;
}

int main() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    const Transform transform;
    std::vector<Complex> block(size);
    std::vector<float> output(size);
    unsigned blocks = 0;
    long kept = 0;
    while (std::chrono::steady_clock::now() < end) {
        record(block, blocks++);
        transform.run(block);
        kept += clean(block);
        transform.run(block);
        for (int i = 0; i < size; i++)
            output[i] = 0.5f * output[i] + block[i].real() / size;
    }
    std::printf("%u blocks, %ld tones kept, %.3f\n", blocks, kept, output[100]);
}
