"""The position of a boat, of which each change is sent to the instruments as a dictionary."""
import dataclasses
import time


@dataclasses.dataclass
class Sail:
    name: str
    area: float
    reefs: list


@dataclasses.dataclass
class Boat:
    name: str
    position: tuple
    speed: float
    sails: list
    crew: dict


def launch():
    return Boat("Gull", (54.3, 10.1), 0.0, [Sail(f"sail {n}", 10.0 + n, [1, 2, 3]) for n in range(40)],
                {f"sailor {n}": ["watch", n % 3] for n in range(30)})


def send(state):
    return len(state["sails"]) + state["speed"]


def steer(boat, step):
    boat.speed = step % 90 / 10
    boat.position = (54.3 + step * 1e-6, 10.1)
    return send(dataclasses.asdict(boat))


def main():
    boat = launch()
    start, steps, sent = time.monotonic(), 0, 0.0
    while time.monotonic() - start < 2:
        sent += steer(boat, steps)
        steps += 1
    us = (time.monotonic() - start) / steps * 1e6
    before = time.monotonic()
    for _ in range(50):
        dataclasses.asdict(boat)
    copying = (time.monotonic() - before) / 50 * 1e6
    with open("truth", "w") as truth:
        truth.write(f"us_per_step {us:.1f}\nus_of_asdict {copying:.1f}\nsteps {steps}\n")


main()
