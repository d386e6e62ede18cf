"""Compares the checksums of a backup's blocks with those of its index. A thread fetches blocks ahead."""
import hashlib
import queue
import socket
import threading
import time

BLOCK = 4 << 20


def fetch_blocks(server, blocks, stop):
    number = 0
    while not stop.is_set():
        server.sendall(b"BLOCK %d\n" % number)
        block = bytearray(BLOCK)
        view, got = memoryview(block), 0
        while got < BLOCK:
            got += server.recv_into(view[got:], BLOCK - got)
        blocks.put(block)
        number += 1
    blocks.put(None)


def check_block(block):
    return hashlib.sha3_256(block).hexdigest()


def check_backup(seconds):
    with open("ready") as file:
        server = socket.create_connection(("127.0.0.1", int(file.read())))
    blocks, stop = queue.Queue(maxsize=4), threading.Event()
    threading.Thread(target=fetch_blocks, args=(server, blocks, stop), name="fetch").start()
    start, waited, checked, sums = time.monotonic(), 0.0, 0, set()
    while True:
        before = time.monotonic()
        block = blocks.get()
        waited += time.monotonic() - before
        if block is None:
            break
        sums.add(check_block(block))
        checked += 1
        if time.monotonic() - start > seconds:
            stop.set()
    return waited / (time.monotonic() - start), checked, len(sums)


share, count, different = check_backup(1.7)
with open("truth", "w") as truth:
    truth.write(f"waited {share:.3f}\ncpu {time.thread_time():.2f}\nblocks {count}\ndifferent {different}\n")
