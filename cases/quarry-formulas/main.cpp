// Calculates the sheets of a quarry: formulas are parsed into trees, and evaluated for each day.
#include <chrono>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using Clock = std::chrono::steady_clock;

struct Node {
    char op;
    double value;
    std::unique_ptr<Node> left, right;
};
using Tree = std::unique_ptr<Node>;

// expr   <- term '+' expr / term '-' expr / term
// term   <- factor '*' term / factor '/' term / factor
// factor <- '(' expr ')' / number / 'd'
class Parser {
public:
    explicit Parser(std::string_view text) : text_(text) {}

    Tree formula()
    {
        Tree t = expr();
        return t && at_ == text_.size() ? std::move(t) : nullptr;
    }

private:
    bool take(char c)
    {
        if (at_ < text_.size() && text_[at_] == c) {
            at_++;
            return true;
        }
        return false;
    }

    using Rule = Tree (Parser::*)();

    Tree binary(Rule first, char op, Rule second)
    {
        size_t mark = at_;
        Tree left = (this->*first)();
        if (left && take(op))
            if (Tree right = (this->*second)())
                return Tree(new Node{op, 0, std::move(left), std::move(right)});
        at_ = mark;
        return nullptr;
    }

    Tree expr()
    {
        if (Tree t = binary(&Parser::term, '+', &Parser::expr))
            return t;
        if (Tree t = binary(&Parser::term, '-', &Parser::expr))
            return t;
        return term();
    }

    Tree term()
    {
        if (Tree t = binary(&Parser::factor, '*', &Parser::term))
            return t;
        if (Tree t = binary(&Parser::factor, '/', &Parser::term))
            return t;
        return factor();
    }

    Tree factor()
    {
        size_t mark = at_;
        if (take('(')) {
            if (Tree t = expr())
                if (take(')'))
                    return t;
            at_ = mark;
            return nullptr;
        }
        if (take('d'))
            return Tree(new Node{'d', 0, nullptr, nullptr});
        double v = 0;
        while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9')
            v = v * 10 + (text_[at_++] - '0');
        return at_ > mark ? Tree(new Node{'n', v, nullptr, nullptr}) : nullptr;
    }

    std::string_view text_;
    size_t at_ = 0;
};

static double evaluate(const Node &n, double day)
{
    switch (n.op) {
    case 'n': return n.value;
    case 'd': return day;
    case '+': return evaluate(*n.left, day) + evaluate(*n.right, day);
    case '-': return evaluate(*n.left, day) - evaluate(*n.right, day);
    case '*': return evaluate(*n.left, day) * evaluate(*n.right, day);
    default: {
        double by = evaluate(*n.right, day);
        return by == 0 ? 0 : evaluate(*n.left, day) / by;
    }
    }
}

static std::string make_formula(std::mt19937 &random, int depth)
{
    std::string f = std::to_string(random() % 90 + 10);
    for (int i = 0; i < depth; i++) {
        const char *forms[] = {"(%s*2)", "(d+%s)", "(%s)/7", "(3*%s)"};
        std::string form = forms[random() % 4];
        f = form.replace(form.find("%s"), 2, f);
    }
    return f + "+" + std::to_string(random() % 9);
}

int main()
{
    std::mt19937 random(11);
    auto start = Clock::now(), end = start + std::chrono::milliseconds(2000);
    std::chrono::duration<double> parsing{0};
    double total = 0;
    size_t formulas = 0;
    while (Clock::now() < end) {
        std::string text = make_formula(random, 1 + random() % 6);
        auto t = Clock::now();
        Tree tree = Parser(text).formula();
        parsing += Clock::now() - t;
        if (!tree) {
            std::fprintf(stderr, "bad formula: %s\n", text.c_str());
            return 1;
        }
        for (int day = 1; day <= 366 * 8; day++)
            total += evaluate(*tree, day);
        formulas++;
    }
    double wall = std::chrono::duration<double>(Clock::now() - start).count();
    std::printf("%zu formulas, total %.3e\n", formulas, total);
    if (FILE *f = std::fopen("truth", "w")) {
        std::fprintf(f, "share %.3f\n", parsing.count() / wall);
        std::fclose(f);
    }
}
