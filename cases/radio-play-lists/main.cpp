// A radio station's play lists: finds the next track for each hour.
#include <chrono>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

struct Track {
    std::string artist, album, text;
    std::vector<int> played;
};

using Tracks = std::map<std::string, Track>;

static Tracks load_tracks(int count) {
    Tracks tracks;
    for (int n = 0; n < count; n++) {
        Track track{"The artist with the number " + std::to_string(n % 70), "An album that was made in " + std::to_string(1960 + n % 50),
                    std::string(400, 'a' + n % 26), {}};
        for (int day = 0; day < 60; day++) track.played.push_back((n * 7 + day * 13) % 24);
        tracks["a track with the title " + std::to_string(n)] = track;
    }
    return tracks;
}

__attribute__((noinline)) static std::string next_track(const Tracks &tracks, int hour) {
    std::string best;
    std::size_t fewest = 1000;
    for (const std::pair<std::string, Track> &entry : tracks) {
        std::size_t plays = entry.second.played[hour % entry.second.played.size()] + entry.second.artist.size();
        if (plays < fewest) {
            fewest = plays;
            best = entry.first;
        }
    }
    return best;
}

int main() {
    using clock = std::chrono::steady_clock;
    const Tracks tracks = load_tracks(3000);
    const auto end = clock::now() + std::chrono::seconds(2);
    int hours = 0;
    std::size_t letters = 0;
    while (clock::now() < end) letters += next_track(tracks, hours++).size();
    FILE *truth = fopen("truth", "w");
    fprintf(truth, "hours %d\nletters %zu\n", hours, letters);
    return fclose(truth);
}
