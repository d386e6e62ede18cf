#!/usr/bin/env python3
"""Takes in the forms of a city office: each must fit its schema; then duplicates and ages are looked at."""
import datetime
import hashlib
import json
import sys
import time

import jsonschema

PERSON = {
    "type": "object",
    "required": ["name", "born"],
    "properties": {"name": {"type": "string", "minLength": 1}, "born": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\d$"}},
}
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "required": ["form", "person", "rows"],
    "properties": {
        "form": {"enum": ["parking", "kindergarten", "moving"]},
        "person": PERSON,
        "children": {"type": "array", "items": PERSON},
        "rows": {"type": "array", "items": {"type": "object", "properties": {"key": {"type": "string"}, "value": {"type": "number"}}}},
    },
}


def forms():
    n = 0
    while True:
        yield json.dumps({
            "form": ["parking", "kindergarten", "moving"][n % 3],
            "person": {"name": f"Person {n}", "born": f"{1950 + n % 50}-0{n % 9 + 1}-11"},
            "children": [{"name": "Kim", "born": "2020-05-05"}] * (n % 3),
            "rows": [{"key": f"k{i}", "value": i * n % 91} for i in range(4)],
        })
        n += 1


def check(form):
    jsonschema.validate(form, SCHEMA)


def age(form):
    return (datetime.date(2026, 11, 1) - datetime.date.fromisoformat(form["person"]["born"])).days // 365


def fingerprint(form):
    return hashlib.pbkdf2_hmac("sha256", json.dumps(form, sort_keys=True).encode(), b"city", 3000)


def main():
    seen, ages = set(), {}
    until = time.monotonic() + 1.8
    for text in forms():
        form = json.loads(text)
        check(form)
        seen.add(fingerprint(form))
        ages[age(form)] = ages.get(age(form), 0) + 1
        if time.monotonic() > until:
            break
    print(len(seen), "forms,", len(ages), "ages", file=sys.stderr)


main()
