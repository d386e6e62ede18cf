"""Renders the pages of a festival: one page per artist, and the list of the stages."""
import os
import random
import time

from templates import Loader

ARTIST = """<html><head><title>{{ artist['name'] }}</title></head>
<body class="artist"><h1>{{ artist['name'] }}</h1>
{% if artist['text'] %}<p class="text">{{ artist['text'] }}</p>{% end %}
<ul>
{% for concert in artist['concerts'] %}<li><b>{{ concert['day'] }}</b> {{ concert['time'] }} <i>{{ concert['stage'] }}</i></li>
{% end %}</ul>
"""
FOOT = "".join(
    f"<p class=\"sponsor-{n}\">{{{{ sponsors[{n}] }}}} helps the festival, see stand {{{{ {n} + 100 }}}}.</p>\n"
    f"{{% if {n} in offers %}}<b>Offer: {{{{ offers[{n}] }}}}</b>{{% end %}}\n"
    for n in range(25)
)


def write_templates():
    os.makedirs("pages", exist_ok=True)
    with open("pages/artist.html", "w") as f:
        f.write(ARTIST + FOOT)
    os.utime("pages/artist.html", ns=(1_700_000_000_250_000_000,) * 2)


def artists():
    random.seed(5)
    while True:
        yield {
            "name": f"Band {random.randrange(900)}",
            "text": "Loud and late.",
            "concerts": [{"day": d, "time": "20:15", "stage": random.choice("ABC")} for d in ("Fri", "Sat")],
        }


def main():
    write_templates()
    loader = Loader("pages")
    sponsors = [f"Sponsor {n}" for n in range(25)]
    start = time.perf_counter()
    loading = 0.0
    size = pages = 0
    for artist in artists():
        before = time.perf_counter()
        template = loader.get("artist.html")
        after = time.perf_counter()
        loading += after - before
        size += len(template.render(artist=artist, sponsors=sponsors, offers={3: "soup", 7: "tea"}))
        pages += 1
        if after - start > 2:
            break
    print(pages, "pages,", size, "letters")
    with open("truth", "w") as f:
        f.write(f"share {loading / (time.perf_counter() - start):.2f}\npages {pages}\n")


main()
