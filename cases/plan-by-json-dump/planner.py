"""The plan of a school: rooms, classes and hours. Each change is saved at once."""
import json
import time


def make_plan():
    lessons = [{"class": f"{number % 9 + 5}{'abc'[number % 3]}", "room": number % 60, "day": number % 5, "hour": number % 8,
                "teachers": [number % 70, (number * 7) % 70]} for number in range(4000)]
    return {"year": 2024, "lessons": lessons}


def save_plan(plan):
    with open("plan.json", "w") as out:
        json.dump(plan, out, indent=1)


def move_lesson(plan, number):
    lesson = plan["lessons"][number * 37 % len(plan["lessons"])]
    lesson["room"] = (lesson["room"] + 1) % 60
    save_plan(plan)


def main():
    plan = make_plan()
    changes, saving = 0, 0.0
    start = time.perf_counter()
    while time.perf_counter() - start < 2:
        before = time.perf_counter()
        move_lesson(plan, changes)
        saving += time.perf_counter() - before
        changes += 1
    wall = time.perf_counter() - start
    before = time.perf_counter()
    for _ in range(5):
        with open("other.json", "w") as out:
            out.write(json.dumps(plan))
    other = (time.perf_counter() - before) / 5
    with open("truth", "w") as truth:
        truth.write(f"saving {saving / wall:.3f}\nchanges {changes}\ntimes_slower {saving / changes / other:.1f}\n")


main()
