"""Counts the primes below 1,600,000 in a pool of two processes."""
import multiprocessing
import os
import time


def count_primes(part):
    low, high, small = part
    count = 0
    for number in range(low | 1, high, 2):
        for prime in small:
            if prime * prime > number:
                count += 1
                break
            if number % prime == 0:
                break
    return count


def small_primes(limit):
    sieve = bytearray([1]) * limit
    sieve[:2] = b"\0\0"
    for n in range(2, int(limit ** 0.5) + 1):
        if sieve[n]:
            sieve[n * n::n] = bytes(len(range(n * n, limit, n)))
    return [n for n in range(3, limit) if sieve[n]]


def main():
    start = time.perf_counter()
    small = small_primes(1300)
    parts = [(low, low + 20000, small) for low in range(2000, 1602000, 20000)]
    with multiprocessing.Pool(2) as pool:
        primes = sum(pool.imap_unordered(count_primes, parts))
        pool.close()
        pool.join()
    took = time.perf_counter() - start
    children = os.times()
    with open("truth", "w") as truth:
        truth.write(f"primes {primes}\ntasks {len(parts)}\nwall {took:.2f}\n"
                    f"cpus {(children.children_user + children.children_system) / took:.2f}\n")


if __name__ == "__main__":
    main()
