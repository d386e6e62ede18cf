"""Adds up the statements of accounts in the background, while a dialog shows that something happens."""
import concurrent.futures
import time

ROUNDS = 150_000


def add_up(account):
    total = 0
    for booking in range(ROUNDS):
        total = (total * 31 + booking * account) % 1_000_003
    return total, time.thread_time()


def show_progress(job):
    asked = 0
    while not job.done():
        asked += 1
    return asked


def main():
    asked = accounts = 0
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        start, cpu = time.perf_counter(), time.thread_time()
        while time.perf_counter() - start < 2:
            job = pool.submit(add_up, accounts)
            asked += show_progress(job)
            job.result()
            accounts += 1
        wall, spun = time.perf_counter() - start, time.thread_time() - cpu
        before = time.perf_counter()
        for account in range(5):
            pool.submit(add_up, account).result()
        quiet = (time.perf_counter() - before) / 5
    with open("truth", "w") as truth:
        truth.write(f"main_cpu {spun / wall:.3f}\naccounts {accounts}\nms_each {wall / accounts * 1e3:.1f}\n"
                    f"ms_each_without {quiet * 1e3:.1f}\nasked {asked}\n")


main()
