// Ships parcels: asks the label maker for each label by a file, and takes the label when its file is there.
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct Parcel {
    int number;
    std::string town;
    std::vector<int> weights;
};

static long looks = 0;
static double waited = 0;

static std::vector<Parcel> parcels_of_today()
{
    const char *towns[] = {"Ulm", "Jena", "Bonn", "Kiel"};
    std::vector<Parcel> parcels;
    for (int n = 0; n < 9; n++) {
        Parcel parcel{n, towns[n % 4], {}};
        for (int item = 0; item < 5 + n; item++)
            parcel.weights.push_back(100 + item * 37 % 900);
        parcels.push_back(parcel);
    }
    return parcels;
}

static int postage(const Parcel &parcel)
{
    int weight = std::accumulate(parcel.weights.begin(), parcel.weights.end(), 0);
    return weight < 2000 ? 549 : weight < 5000 ? 699 : 1049;
}

static void order_label(const Parcel &parcel, int cents)
{
    std::string name = "order-" + std::to_string(parcel.number);
    std::ofstream(name + ".tmp") << parcel.town << ' ' << cents << '\n';
    fs::rename(name + ".tmp", name);
}

static std::string await_label(int number)
{
    fs::path label = "label-" + std::to_string(number);
    auto before = Clock::now();
    while (!fs::exists(label))
        looks++;
    waited += std::chrono::duration<double>(Clock::now() - before).count();
    std::ifstream in(label);
    std::string text;
    std::getline(in, text);
    return text;
}

static std::string ship(const Parcel &parcel)
{
    order_label(parcel, postage(parcel));
    return await_label(parcel.number);
}

int main()
{
    auto start = Clock::now();
    std::map<std::string, int> per_town;
    std::ofstream protocol("protocol.txt");
    for (const Parcel &parcel : parcels_of_today()) {
        protocol << parcel.number << ' ' << ship(parcel) << '\n';
        per_town[parcel.town]++;
    }
    double wall = std::chrono::duration<double>(Clock::now() - start).count();
    std::ofstream("truth") << "looks " << looks << "\nwaiting " << waited / wall << "\nwall " << wall << '\n';
}
