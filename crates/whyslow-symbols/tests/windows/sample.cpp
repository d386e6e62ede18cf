// What the tests of Windows symbols look up. No C run-time: make.sh links it alone.

extern "C" int _fltused = 0;

volatile int sink;

static inline __attribute__((always_inline)) int innermost(int n) {
    sink = n;
    return n * 7;
}

namespace shop {
namespace detail {
static inline __attribute__((always_inline)) int middle(int n) {
    int sum = innermost(n + 1);
    sink = sum;
    return sum ^ 3;
}
} // namespace detail

template <typename T>
struct Box {
    T value;
    __attribute__((noinline)) T twice(T by) {
        sink = static_cast<int>(by);
        return value * 2 + by;
    }
};

class Till {
public:
    explicit Till(int start) : sum_(start) {}
    __attribute__((noinline)) int add(int price, const char *name);
    __attribute__((noinline)) bool operator<(const Till &other) const { return sum_ < other.sum_ + sink; }

private:
    int sum_;
};

int Till::add(int price, const char *name) {
    for (int i = 0; name[i]; ++i)
        sum_ += detail::middle(price + name[i]);
    return sum_;
}
} // namespace shop

static __attribute__((noinline)) int hidden(int n) {
    sink = n + 5;
    return sink * n;
}

extern "C" __declspec(dllexport) int open_shop(int n) {
    shop::Till till(n), other(hidden(n));
    shop::Box<long long> box{n};
    till.add(n, "bread");
    return till < other ? static_cast<int>(box.twice(n)) : hidden(n + 1);
}

extern "C" __declspec(dllexport) int __stdcall close_shop(int a, int b) {
    return hidden(a) + b;
}
