"""A catalogue service. "To keep memory low", it collects garbage after each request."""
import gc
import time

collecting = 0.0


def load_catalogue():
    return {n: {"name": f"article {n}", "prices": [n, n + 1], "tags": {"colour": ["red", "blue"]}} for n in range(60000)}


def free_memory():
    global collecting
    before = time.perf_counter()
    gc.collect()
    collecting += time.perf_counter() - before


def answer(catalogue, number):
    article = catalogue[number % len(catalogue)]
    text = f"{article['name']}: {min(article['prices'])} {', '.join(article['tags']['colour'])}"
    free_memory()
    return text


def main():
    catalogue = load_catalogue()
    start = time.perf_counter()
    requests = length = 0
    while time.perf_counter() - start < 2.0:
        length += len(answer(catalogue, requests * 7919))
        requests += 1
    took = time.perf_counter() - start
    with open("truth", "w") as truth:
        truth.write(f"collecting_of_loop {collecting / took:.3f}\nrequests {requests}\nbytes {length}\n")


main()
