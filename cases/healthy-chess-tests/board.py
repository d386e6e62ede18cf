"""Boards of a game of knights: where a knight can go, and how it gets there."""
STEPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def moves(square, size):
    row, column = square
    for down, right in STEPS:
        if 0 <= row + down < size and 0 <= column + right < size:
            yield row + down, column + right


def distances(start, size):
    """The number of moves to each square."""
    found = {start: 0}
    border = [start]
    while border:
        reached = []
        for square in border:
            for target in moves(square, size):
                if target not in found:
                    found[target] = found[square] + 1
                    reached.append(target)
        border = reached
    return found


def tour(start, size):
    """A tour over all squares, by Warnsdorff's rule, as far as it gets."""
    seen, path = {start}, [start]
    while True:
        ways = [square for square in moves(path[-1], size) if square not in seen]
        if not ways:
            return path
        square = min(ways, key=lambda way: sum(next_ not in seen for next_ in moves(way, size)))
        seen.add(square)
        path.append(square)
