"""Two processes play a guessing game with numbers. Each guess is a message to the other process, which is answered by
another message; both have next to nothing to compute."""
import multiprocessing
import os
import time


def judge_guess(secret, guess):
    return (guess > secret) - (guess < secret)


def keep_secret(connection):
    secret = 1
    while True:
        guess = connection.recv()
        if guess is None:
            connection.send(dict(zip(("user", "system"), os.times()[:2])))
            return
        verdict = judge_guess(secret, guess)
        if verdict == 0:
            secret = secret * 48271 % 65521
        connection.send(verdict)


def ask_keeper(connection, guess):
    connection.send(guess)
    return connection.recv()


def find_secret(connection):
    low, high, guesses = 0, 65521, 0
    while True:
        guess = (low + high) // 2
        guesses += 1
        verdict = ask_keeper(connection, guess)
        if verdict == 0:
            return guesses
        if verdict > 0:
            high = guess
        else:
            low = guess + 1


def main():
    ours, theirs = multiprocessing.Pipe()
    keeper = multiprocessing.Process(target=keep_secret, args=(theirs,), name="keeper")
    keeper.start()
    start = time.monotonic()
    guesses = games = 0
    while time.monotonic() - start < 2:
        guesses += find_secret(ours)
        games += 1
    wall = time.monotonic() - start
    ours.send(None)
    used = ours.recv()
    keeper.join()
    before = time.perf_counter()
    for n in range(10000):
        judge_guess(n, 5000)
    judging = (time.perf_counter() - before) / 10000
    with open("truth", "w") as truth:
        truth.write(f"games {games}\nguesses {guesses}\nus_per_guess {1e6 * wall / guesses:.1f}\n"
                    f"us_of_judging {1e6 * judging:.2f}\nkeeper_cpu {sum(used.values()) / wall:.2f}\n")


if __name__ == "__main__":
    main()
