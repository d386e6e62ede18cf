// The sessions of a game's lobby, in a hash table with open addressing. Players come and go; whoever
// knocks with a ticket that has run out is looked up in vain.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

class SessionTable {
public:
    explicit SessionTable(std::size_t places) : cells_(places), mask_(places - 1) {}

    void insert(std::uint64_t ticket, std::uint32_t player) {
        std::size_t at = place_of(ticket);
        while (cells_[at].state == Used)
            at = (at + 1) & mask_;
        cells_[at] = {ticket, player, Used};
        used_++;
    }

    const std::uint32_t *find(std::uint64_t ticket) const {
        std::size_t at = place_of(ticket);
        for (std::size_t probes = 0; probes <= mask_; probes++, at = (at + 1) & mask_) {
            if (cells_[at].state == Free)
                return nullptr;
            if (cells_[at].state == Used && cells_[at].ticket == ticket)
                return &cells_[at].player;
        }
        return nullptr;
    }

    bool erase(std::uint64_t ticket) {
        const std::uint32_t *player = find(ticket);
        if (!player)
            return false;
        auto *cell = reinterpret_cast<Cell *>(reinterpret_cast<char *>(const_cast<std::uint32_t *>(player)) -
                                              offsetof(Cell, player));
        cell->state = Deleted;
        used_--;
        return true;
    }

    std::size_t size() const { return used_; }

private:
    enum State : std::uint32_t { Free, Used, Deleted };
    struct Cell {
        std::uint64_t ticket = 0;
        std::uint32_t player = 0;
        State state = Free;
    };

    std::size_t place_of(std::uint64_t ticket) const {
        ticket ^= ticket >> 31;
        ticket *= 0x9e3779b97f4a7c15ull;
        return (ticket >> 24) & mask_;
    }

    std::vector<Cell> cells_;
    std::size_t mask_;
    std::size_t used_ = 0;
};

static std::uint64_t ticket_number(std::uint64_t serial) {
    serial *= 0xbf58476d1ce4e5b9ull;
    return serial ^ serial >> 29;
}

int main() {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::seconds(2);
    SessionTable sessions(16384);
    std::uint64_t arrived = 0, left = 0, refused = 0, served = 0;
    while (Clock::now() < end) {
        for (int i = 0; i < 20; i++) {
            sessions.insert(ticket_number(arrived), static_cast<std::uint32_t>(arrived * 3));
            arrived++;
            if (arrived > 3000)
                left += sessions.erase(ticket_number(arrived - 3001));
            for (std::uint64_t back = 1; back <= 4; back++) {
                const std::uint32_t *player = sessions.find(ticket_number(arrived - arrived % 2500 / back - 1));
                player ? served++ : refused++;
            }
            if (arrived > 6000 && !sessions.find(ticket_number(arrived - 5000)))
                refused++;
        }
    }
    std::printf("%lu players came, %lu left, %lu served, %lu refused, %zu in the lobby\n", arrived, left, served,
                refused, sessions.size());
}
