"""Makes a sheet of voucher codes out of one large random number, digit after digit."""
import hashlib
import time

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
spent = 0.0


def seed_number(campaign):
    """A number with enough bits for all codes of a campaign."""
    blocks = [hashlib.sha512(f"{campaign}/{n}".encode()).digest() for n in range(160)]
    return int.from_bytes(b"".join(blocks), "big")


def letters_of(number):
    """The number in the alphabet of the codes."""
    letters = []
    base = len(ALPHABET) - 1
    while number:
        number, digit = divmod(number, base)
        letters.append(ALPHABET[digit])
    return "".join(letters)


def split_codes(letters, length=12):
    return [letters[n:n + length] for n in range(0, len(letters) - length, length)]


def check_sheet(codes):
    if len(set(codes)) != len(codes):
        raise ValueError("a code was drawn twice")


def print_sheet(codes, sheet):
    for row in range(0, len(codes), 5):
        sheet.write("  ".join(codes[row:row + 5]) + "\n")


def make_campaign(campaign, sheet):
    global spent
    number = seed_number(campaign)
    before = time.monotonic()
    letters = letters_of(number)
    spent += time.monotonic() - before
    codes = split_codes(letters)
    check_sheet(codes)
    print_sheet(codes, sheet)
    return len(codes)


def main():
    start = time.monotonic()
    codes = campaigns = 0
    with open("vouchers.txt", "w") as sheet:
        while time.monotonic() - start < 2:
            codes += make_campaign(campaigns, sheet)
            campaigns += 1
    all_time = time.monotonic() - start
    with open("truth", "w") as truth:
        truth.write(f"letters_of {spent / all_time:.3f}\ncodes {codes}\ncampaigns {campaigns}\n")


main()
