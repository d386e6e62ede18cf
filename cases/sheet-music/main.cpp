// Finds the scans of sheet music that the musicians of an orchestra ask for. The scans come from many
// hands, so their names differ in upper and lower case.
#include <dirent.h>
#include <strings.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

using Clock = std::chrono::steady_clock;

static double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

static const char *const kComposers[] = {"Bach", "HAYDN", "mozart", "Brahms", "DVORAK", "Elgar"};

static std::string scan_name(int number) {
    char name[80];
    snprintf(name, sizeof name, "%s-Opus-%05d.pdf", kComposers[number % 6], number);
    return name;
}

// Returns the name as it is written in the folder, or nothing.
static std::string find_scan(const std::string &folder, const std::string &title) {
    std::string found;
    DIR *scans = opendir(folder.c_str());
    if (!scans) return found;
    while (dirent *entry = readdir(scans))
        if (strcasecmp(entry->d_name, title.c_str()) == 0) {
            found = entry->d_name;
            break;
        }
    closedir(scans);
    return found;
}

static std::string as_asked(int number) {
    std::string title = scan_name(number);
    for (char &letter : title)
        if (letter >= 'A' && letter <= 'Z') letter += 'a' - 'A';
    return title;
}

int main() {
    const int kScans = 5000;
    auto start = Clock::now();
    double searching = 0;
    int wishes = 0, missing = 0;
    std::ofstream stands("stands.txt");
    for (; since(start) < 2.5; wishes++) {
        std::string title = as_asked((wishes * 7919) % (kScans + 300));
        auto before = Clock::now();
        std::string scan = find_scan("scans", title);
        searching += since(before);
        if (scan.empty()) missing++;
        else stands << "stand " << wishes % 40 << ": " << scan << "\n";
    }
    std::ofstream("truth") << "seconds " << since(start) << "\nseconds_searching " << searching << "\nwishes " << wishes
                           << "\nmissing " << missing << "\n";
}
