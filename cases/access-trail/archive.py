"""The reading room of an archive: who may see which box."""
import trail

BOXES = {f"box-{n}": n * 7919 % 5 for n in range(400)}


class ReadingRoom:
    def __init__(self, folder):
        self.trail = trail.open_trail(folder)
        self.given_out = {}

    def ask(self, reader, level, box):
        allowed = level >= BOXES[box]
        if allowed:
            self.given_out.setdefault(reader, []).append(box)
        trail.note(self.trail, reader, box, allowed)
        return allowed
