"""Prints a shell script that sets up the beds of a seed bank, one command per bed, as long as it is read."""
import time


def header():
    return "#!/bin/bash\nset -u\ndeclare -A bed kind\ntotal=0\n"


def bed(n):
    return (
        f"# bed {n}: prepared by the planner, do not edit by hand; see the plan of this year for details\n"
        f"bed[{n}]='row {n // 40}, place {n % 40}, south side of the long greenhouse'\n"
        f"kind[{n}]='winter wheat, sown in {n % 12 + 1}'; total=$((total + 1))\n"
    )


def main():
    end = time.monotonic() + 1.8
    out = open(1, "w", buffering=32768, closefd=False)
    out.write(header())
    n = 0
    while time.monotonic() < end:
        n += 1
        out.write(bed(n))
    out.write("echo \"$total beds\"\n")
    out.flush()


main()
