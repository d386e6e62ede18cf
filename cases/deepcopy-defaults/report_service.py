"""Answers requests for reports. Each request gets settings of its own: a deep copy of the defaults, in which
one or two values differ."""
import copy
import time

DEFAULTS = {
    "columns": [{"name": f"column {n}", "width": 12, "style": {"bold": False, "color": [0, 0, n]}} for n in range(60)],
    "filters": {f"filter {n}": {"from": n, "to": n + 10, "values": list(range(5))} for n in range(40)},
    "page": {"size": "A4", "margins": {"left": 10, "right": 10, "top": 15, "bottom": 15}},
}

copying = 0.0


def settings_for(request):
    global copying
    before = time.perf_counter()
    settings = copy.deepcopy(DEFAULTS)
    settings["page"]["size"] = request["size"]
    settings["columns"][0]["width"] = request["width"]
    copying += time.perf_counter() - before
    return settings


def render_head(settings):
    cells = [column["name"].ljust(column["width"]) for column in settings["columns"]]
    return f"{settings['page']['size']}: " + "|".join(cells)


def answer(request):
    return render_head(settings_for(request))


def main():
    start = time.perf_counter()
    requests = length = 0
    while time.perf_counter() - start < 2.0:
        length += len(answer({"size": "A5" if requests % 3 else "A3", "width": 20 + requests % 10}))
        requests += 1
    took = time.perf_counter() - start
    with open("truth", "w") as truth:
        truth.write(f"in_settings_for {copying / took:.3f}\nrequests {requests}\nbytes {length}\n")


main()
