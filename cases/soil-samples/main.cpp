// Imports the analyses of soil samples, and computes the mean of each substance per field.
#include <chrono>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using Clock = std::chrono::steady_clock;

static double converting;

struct Mean {
    double sum = 0;
    long count = 0;
};

static void write_samples(const char *path)
{
    std::ofstream out(path);
    for (int n = 0; n < 150000; n++)
        out << "field-" << n % 170 << ';' << n * 31 % 900 / 10.0 << ';' << n * 7 % 140 / 20.0 << ';' << n % 77 << '\n';
}

static double number_of(const std::string &text)
{
    std::istringstream in(text);
    double number = 0;
    in >> number;
    return number;
}

static std::vector<std::string> fields(const std::string &line)
{
    std::vector<std::string> parts;
    for (size_t from = 0; from <= line.size();) {
        size_t to = std::min(line.find(';', from), line.size());
        parts.push_back(line.substr(from, to - from));
        from = to + 1;
    }
    return parts;
}

static void add(std::map<std::string, std::vector<Mean>> &means, const std::string &line)
{
    auto parts = fields(line);
    auto &field = means[parts[0]];
    field.resize(parts.size() - 1);
    auto before = Clock::now();
    for (size_t n = 1; n < parts.size(); n++) {
        field[n - 1].sum += number_of(parts[n]);
        field[n - 1].count++;
    }
    converting += std::chrono::duration<double>(Clock::now() - before).count();
}

static void report(const std::map<std::string, std::vector<Mean>> &means)
{
    std::ofstream out("means.txt");
    for (auto &[field, substances] : means) {
        out << field;
        for (auto &mean : substances)
            out << ' ' << mean.sum / mean.count;
        out << '\n';
    }
}

int main()
{
    write_samples("samples.csv");
    auto start = Clock::now();
    std::map<std::string, std::vector<Mean>> means;
    long samples = 0;
    while (Clock::now() - start < std::chrono::milliseconds(1900)) {
        std::ifstream in("samples.csv");
        for (std::string line; samples % 4096 != 4095 || Clock::now() - start < std::chrono::milliseconds(1900); samples++) {
            if (!std::getline(in, line))
                break;
            add(means, line);
        }
        if (in)
            break;
    }
    report(means);
    double wall = std::chrono::duration<double>(Clock::now() - start).count();
    std::ofstream("truth") << "converting " << converting / wall << "\nsamples " << samples << '\n';
}
