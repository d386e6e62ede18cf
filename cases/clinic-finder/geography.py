"""Places on the globe."""
from math import asin, cos, radians, sin, sqrt

measured = 0


def place_of(number):
    return 47 + number * 7919 % 8000 / 1000, 6 + number * 31 % 9000 / 1000


def km_between(latitude, longitude, other_latitude, other_longitude):
    global measured
    measured += 1
    a, b = radians(latitude), radians(other_latitude)
    east = radians(other_longitude - longitude)
    half = sin((b - a) / 2) ** 2 + cos(a) * cos(b) * sin(east / 2) ** 2
    return 12742 * asin(sqrt(half))
