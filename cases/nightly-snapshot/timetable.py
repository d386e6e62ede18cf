# Looks for a timetable without clashes: classes that share pupils must not meet in the same hour.
import random, time

CLASSES, HOURS = 120, 22

def clashes_between(count, rng):
    table = [set() for _ in range(count)]
    for _ in range(count * 9):
        a, b = rng.sample(range(count), 2)
        table[a].add(b)
        table[b].add(a)
    return table

def cost_of(table, plan, item, hour):
    return sum(1 for other in table[item] if plan[other] == hour)

def improve(table, plan, rng):
    item = rng.randrange(len(plan))
    costs = [cost_of(table, plan, item, hour) for hour in range(HOURS)]
    best = min(costs)
    plan[item] = rng.choice([hour for hour, cost in enumerate(costs) if cost == best])

def main():
    rng = random.Random(5)
    table = clashes_between(CLASSES, rng)
    plan = [rng.randrange(HOURS) for _ in range(CLASSES)]
    start = before = time.monotonic()
    moves = gaps = 0
    while before < start + 2:
        for _ in range(50):
            improve(table, plan, rng)
        moves += 50
        now = time.monotonic()
        if now - before > 0.3:
            gaps += now - before
        before = now
    left = sum(cost_of(table, plan, i, plan[i]) for i in range(CLASSES)) // 2
    print(f"{moves} moves, {left} clashes left; nothing happened for {gaps:.2f} s")
    with open("truth", "w") as truth:
        truth.write(f"frozen {gaps / (time.monotonic() - start):.3f}\n")

main()
