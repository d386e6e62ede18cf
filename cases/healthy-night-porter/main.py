"""The scheduler of a hotel: wakes guests, turns lights on and off, and keeps a diary, all at given times."""
import sched
import time

diary = []
latest = 0.0


class Porter:
    def __init__(self):
        self.clock = sched.scheduler(time.monotonic, time.sleep)
        self.start = time.monotonic()
        self.lights = {}

    def at(self, seconds, duty, *details):
        due = self.start + seconds
        self.clock.enterabs(due, 1, self.do, (due, duty, details))

    def do(self, due, duty, details):
        global latest
        latest = max(latest, time.monotonic() - due)
        duty(*details)

    def wake_guest(self, room):
        diary.append(f"{time.monotonic() - self.start:.3f} call room {room}")

    def switch_light(self, floor, on):
        self.lights[floor] = on
        diary.append(f"{time.monotonic() - self.start:.3f} floor {floor} {'on' if on else 'off'}")

    def write_diary(self):
        with open("diary.txt", "a") as book:
            book.writelines(line + "\n" for line in diary)
        diary.clear()


def plan_night(porter):
    for n in range(9):
        porter.at(0.2 * (n + 1), porter.wake_guest, 100 + n * 7)
    for floor in range(4):
        porter.at(0.3 + 0.1 * floor, porter.switch_light, floor, True)
        porter.at(1.2 + 0.17 * floor, porter.switch_light, floor, False)
    for n in range(4):
        porter.at(0.5 * (n + 1), porter.write_diary)


def main():
    porter = Porter()
    plan_night(porter)
    porter.clock.run()
    wall = time.monotonic() - porter.start
    with open("truth", "w") as truth:
        truth.write(f"wall {wall:.2f}\nlatest_ms {latest * 1000:.2f}\nlights_on {sum(porter.lights.values())}\n")


main()
