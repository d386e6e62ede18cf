"""A game of Go on a server: after each move the whole game, with its history, is made into a JSON text for each
player and spectator."""
import collections
import json
import time

SIZE = 19


class Game:
    def __init__(self):
        self.board = [[None] * SIZE for _ in range(SIZE)]
        self.history = []

    def place_stone(self, number):
        column, row = number * 7 % SIZE, number * 11 // 3 % SIZE
        colour = "black" if number % 2 else "white"
        self.board[row][column] = {"colour": colour, "move": number}
        self.history.append({"move": number, "at": [column, row], "colour": colour, "seconds": number % 60 / 2})

    def as_dict(self):
        return {"players": ["Ada", "Kurt"], "board": self.board, "history": self.history}


class Player:
    """Somebody who plays or watches, with the texts that the next poll of the browser will fetch."""

    def __init__(self, name):
        self.name = name
        self.texts = collections.deque(maxlen=8)
        self.sent = 0

    def send(self, text):
        self.texts.append(text)
        self.sent += len(text)


def encode_game(game):
    return json.dumps(game.as_dict(), indent=1).encode()


def announce_move(game, players):
    encoding = 0.0
    for player in players:
        before = time.monotonic()
        text = encode_game(game)
        encoding += time.monotonic() - before
        player.send(text)
    return encoding


def main():
    players = [Player(name) for name in ("ada", "kurt", "emmy", "alan", "grace", "paul")]
    game, encoding, moves = Game(), 0.0, 0
    start = time.monotonic()
    while time.monotonic() - start < 2:
        game.place_stone(moves)
        encoding += announce_move(game, players)
        moves += 1
        if moves % 300 == 0:
            game = Game()
    wall = time.monotonic() - start
    sent = sum(player.sent for player in players)
    with open("truth", "w") as truth:
        truth.write(f"encoding {encoding / wall:.3f}\nmoves {moves}\nmegabytes {sent / 1e6:.1f}\n")


main()
