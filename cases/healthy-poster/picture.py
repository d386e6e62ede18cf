"""Grey pictures."""


class Picture:
    def __init__(self, width, dots):
        self.width = width
        self.dots = dots

    def rows(self):
        for start in range(0, len(self.dots), self.width):
            yield self.dots[start:start + self.width]


def make(path, width, height):
    dots = bytes((x * x // 90 + y * 7919 // 300 + x * y // 40) % 256 for y in range(height) for x in range(width))
    write(path, Picture(width, dots))


def read(path):
    with open(path, "rb") as file:
        kind, width, height, most = file.readline().split()
        return Picture(int(width), file.read())


def write(path, picture):
    with open(path, "wb") as file:
        file.write(b"P5 %d %d 255\n" % (picture.width, len(picture.dots) // picture.width))
        file.write(picture.dots)


def steps(levels):
    size = 256 // levels + 1
    return bytes(value // size * size for value in range(256))


def blur(above, row, below):
    middle = [(a + 2 * b + c) // 4 for a, b, c in zip(above, row, below)]
    return bytes([middle[0], *((a + 2 * b + c) // 4 for a, b, c in zip(middle, middle[1:], middle[2:])), middle[-1]])


def framed(rows, border):
    width = len(rows[0]) + 2 * border
    edge, side = bytes(width * border), bytes(border)
    return Picture(width, edge + b"".join(side + row + side for row in rows) + edge)
