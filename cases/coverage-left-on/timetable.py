"""Finds the next connections in a timetable, from every stop."""
import sys
import time

seen_lines = {}


def note_line(frame, event, _):
    if event == "line":
        key = frame.f_code.co_name, frame.f_lineno
        seen_lines[key] = seen_lines.get(key, 0) + 1
    return note_line


def install_coverage():
    """To see which lines our tests never reach."""
    sys.settrace(note_line)


def next_departure(departures, minute):
    low, high = 0, len(departures)
    while low < high:
        middle = (low + high) // 2
        if departures[middle] < minute:
            low = middle + 1
        else:
            high = middle
    return departures[low % len(departures)]


def connections(timetable, minute):
    last = minute
    for stop in range(0, len(timetable), 5):
        last = next_departure(timetable[stop], (last + 3) % 1440)
    return last


install_coverage()
timetable = [sorted((stop * 7 + n * 11) % 1440 for n in range(110)) for stop in range(300)]
start, searches = time.perf_counter(), 0
while time.perf_counter() - start < 2:
    connections(timetable, searches % 1440)
    searches += 1
sys.settrace(None)
with open("truth", "w") as truth:
    truth.write(f"searches {searches}\nlines {sum(seen_lines.values())}\n")
