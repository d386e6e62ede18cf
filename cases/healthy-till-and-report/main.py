"""Reports for the management, from the database into which the till writes meanwhile."""
import collections
import sqlite3
import time


def read_sales(db):
    return db.execute("SELECT shop, day, article, cents FROM sale ORDER BY id").fetchall()


def best_weekdays(sales):
    sums = collections.Counter()
    for shop, day, _, cents in sales:
        sums[shop, day % 7] += cents
    return sums.most_common(10)


def article_trends(sales):
    months = collections.defaultdict(lambda: [0] * 13)
    for _, day, article, cents in sales:
        months[article][day // 30] += cents
    return sorted((sum(m[6:]) - sum(m[:6]), article) for article, m in months.items())[-10:]


def report(db):
    sales = read_sales(db)
    return len(sales), best_weekdays(sales), article_trends(sales)


def main():
    db = sqlite3.connect("till.db")
    start, used, reading = time.perf_counter(), time.process_time(), 0
    reports = 0
    while time.perf_counter() - start < 2:
        count, weekdays, trends = report(db)
        reports += 1
    wall = time.perf_counter() - start
    print(reports, count, weekdays[0], trends[-1])
    with open("truth", "w") as truth:
        truth.write(f"cpu {(time.process_time() - used) / wall:.3f}\nreports {reports}\nsales {count}\n")


main()
