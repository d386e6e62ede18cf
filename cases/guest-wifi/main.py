"""Replays a day of a hotel's guest network: sessions begin and are thrown out when they are too old."""
import random
import time

LIFETIME = 3600
GUESTS = 160_000


class SessionTable:
    """Sessions in the order in which they began."""

    def __init__(self):
        self.sessions = {}
        self.expired = 0

    def begin(self, device, now, room):
        self.sessions[device] = (now, room)

    def expire_oldest(self, now):
        """Throws out the oldest session, if it is too old."""
        device = next(iter(self.sessions), None)
        if device is None or now - self.sessions[device][0] < LIFETIME:
            return None
        began, room = self.sessions.pop(device)
        self.expired += 1
        return device, room, now - began


class Bill:
    def __init__(self):
        self.minutes = {}

    def charge(self, room, seconds):
        self.minutes[room] = self.minutes.get(room, 0) + (seconds + 59) // 60


def device_name(rng):
    return "%012x" % rng.getrandbits(48)


def main():
    rng = random.Random(11)
    table, bill = SessionTable(), Bill()
    for i in range(GUESTS):
        table.begin(device_name(rng), i // 100, 100 + i % 240)
    end = time.monotonic() + 2.0
    now = LIFETIME + GUESTS // 100
    while time.monotonic() < end:
        for _ in range(20):
            gone = table.expire_oldest(now)
            if gone is None:
                break
            bill.charge(gone[1], gone[2])
    print(f"{table.expired} sessions expired, {len(table.sessions)} left, {sum(bill.minutes.values())} minutes charged")


if __name__ == "__main__":
    main()
