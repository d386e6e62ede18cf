#!/bin/sh
# A small project: eight units of C++, a library, and a test that links it.
set -e
mkdir -p src
i=1
while [ $i -le 8 ]; do
    cat > src/unit$i.cpp <<X
#include <algorithm>
#include <map>
#include <string>
#include <vector>
std::map<std::string, int> count_$i(const std::vector<std::string> &words) {
    std::map<std::string, int> n;
    for (const auto &w : words) n[w] += $i;
    return n;
}
int best_$i(std::vector<int> v) { std::sort(v.begin(), v.end()); return v.empty() ? 0 : v.back() * $i; }
X
    i=$((i + 1))
done
cat > src/test.cpp <<'X'
#include <vector>
int best_1(std::vector<int>);
int best_8(std::vector<int>);
int main() { return best_1({1, 5, 3}) == 5 && best_8({2}) == 16 ? 0 : 1; }
X
cp "$CASE/rules.mk" Makefile
