"""The log of the lifts of a hospital."""
with open("lifts.log", "w") as log:
    for number in range(1_400_000):
        second = number // 9
        state = f"FAULT E{number * 7919 % 83:02} door {number % 3}" if number % 23 == 0 else f"at floor {number * 31 % 12}"
        log.write(f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02} lift-{number % 17:02} {state}\n")
