"""Counts the votes for the tree of the year. Several programs should see the state, so a manager process keeps it."""
import multiprocessing
import time

TREES = ["oak", "beech", "lime", "larch", "birch", "elm", "alder", "rowan"]


def ballots():
    """The ballots of all wards, one tree each."""
    state = 17
    while True:
        state = (state * 1103515245 + 12345) % 2**31
        yield TREES[(state >> 8) % len(TREES)]


def count_vote(tally, tree):
    tally[tree] = tally.get(tree, 0) + 1


def count_for(seconds, tally):
    start = time.perf_counter()
    used = time.process_time()
    votes = 0
    counting = 0.0
    for tree in ballots():
        before = time.perf_counter()
        count_vote(tally, tree)
        counting += time.perf_counter() - before
        votes += 1
        if before - start > seconds:
            break
    wall = time.perf_counter() - start
    return votes, counting / wall, (time.process_time() - used) / wall


def main():
    with multiprocessing.Manager() as manager:
        tally = manager.dict()
        votes, counting, own_cpu = count_for(2, tally)
        result = sorted(tally.items(), key=lambda item: -item[1])
    with open("truth", "w") as truth:
        truth.write(f"counting {counting:.3f}\nown_cpu {own_cpu:.3f}\nvotes {votes}\n")
    print(result[0])


if __name__ == "__main__":
    main()
