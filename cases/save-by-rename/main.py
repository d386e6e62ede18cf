"""Saves the profiles of users so that no crash can lose one."""
import json
import os
import time

syncing = 0.0


def make_durable(descriptor):
    global syncing
    before = time.monotonic()
    os.fsync(descriptor)
    syncing += time.monotonic() - before


def save_profile(user):
    path = f"profiles/user-{user}.json"
    with open(path + ".new", "w") as profile:
        json.dump({"user": user, "language": "en", "theme": "dark"}, profile)
        profile.flush()
        make_durable(profile.fileno())
    os.rename(path + ".new", path)
    folder = os.open("profiles", os.O_RDONLY)
    make_durable(folder)
    os.close(folder)


os.mkdir("profiles")
start, saved = time.monotonic(), 0
while time.monotonic() - start < 2:
    save_profile(saved % 200)
    saved += 1
with open("truth", "w") as truth:
    truth.write(f"share {syncing / (time.monotonic() - start):.3f}\nsaved {saved}\n")
