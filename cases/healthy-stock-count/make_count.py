"""What the counters of a warehouse wrote down."""
with open("count.csv", "w") as out:
    out.write("shelf;article;pieces;price\n")
    for number in range(300_000):
        out.write(f"{number % 1200};{number * 7919 % 60_013};{number * 37 % 97};{number * 53 % 9000 / 100:.2f}\n")
