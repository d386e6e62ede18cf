"""Renders the newsletter of a club for each member, by one template that is compiled once."""
import time

from jinja2 import Environment

TEMPLATE = """Dear {{ member.name }},
{% for event in events if event.day >= member.since %}
  {{ "%3d" | format(event.day) }}  {{ event.title | upper }}{% if member.id in event.helpers %}  (you help){% endif %}
{%- endfor %}

You are member {{ member.id }} of {{ total }}.
"""


def make_events():
    return [{"day": i * 5 % 360, "title": f"evening {i}", "helpers": set(range(i, 4000, 17))} for i in range(40)]


def render_all(template, events, seconds):
    end = time.monotonic() + seconds
    pages = letters = 0
    while time.monotonic() < end:
        member = {"id": pages % 4000, "name": f"member {pages % 4000}", "since": pages % 200}
        letters += len(template.render(member=member, events=events, total=4000))
        pages += 1
    return pages, letters


def main():
    template = Environment().from_string(TEMPLATE)
    pages, letters = render_all(template, make_events(), 2.0)
    print(pages, "pages,", letters, "letters")


if __name__ == "__main__":
    main()
