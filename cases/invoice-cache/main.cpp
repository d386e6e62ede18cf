// Prices the lines of invoices from a sorted table of articles.
#define _GLIBCXX_DEBUG  // since the crash in March, see ticket 4711
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

struct Article {
    unsigned number;
    long cents;
    std::string name;
};

struct Line {
    unsigned article;
    int pieces;
};

using Clock = std::chrono::steady_clock;

static std::vector<Article> load_articles() {
    std::vector<Article> articles;
    unsigned number = 1000;
    for (int i = 0; i < 40000; i++) {
        number += 1 + i * 7919 % 13;
        articles.push_back({number, 99 + i * 31 % 9000, "article " + std::to_string(number)});
    }
    return articles;
}

static const Article *find_article(const std::vector<Article> &articles, unsigned number) {
    auto at = std::lower_bound(articles.begin(), articles.end(), number,
                               [](const Article &article, unsigned wanted) { return article.number < wanted; });
    return at != articles.end() && at->number == number ? &*at : nullptr;
}

static std::vector<Line> read_invoice(unsigned invoice, unsigned last) {
    std::vector<Line> lines;
    unsigned random = invoice * 2654435761u;
    for (int i = 0; i < 12; i++) {
        random = random * 1664525u + 1013904223u;
        lines.push_back({1000 + (random >> 4) % (last - 1000), 1 + static_cast<int>(random >> 28)});
    }
    return lines;
}

static long price_invoice(const std::vector<Article> &articles, const std::vector<Line> &lines, long &missing) {
    long total = 0;
    for (const Line &line : lines) {
        if (const Article *article = find_article(articles, line.article))
            total += article->cents * line.pieces;
        else
            missing++;
    }
    return total;
}

int main() {
    const auto end = Clock::now() + std::chrono::seconds(2);
    const auto articles = load_articles();
    long turnover = 0, missing = 0;
    unsigned invoices = 0;
    while (Clock::now() < end)
        turnover += price_invoice(articles, read_invoice(invoices++, articles.back().number), missing);
    std::printf("%u invoices, %ld cents, %ld lines without an article\n", invoices, turnover, missing);
}
