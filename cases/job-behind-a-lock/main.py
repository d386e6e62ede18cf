"""A scheduler that runs its jobs one after the other. The first is a backup, the second should send mails on time."""
import os
import subprocess
import time

start, late, times = time.monotonic(), 0.0, []


def run_job(*command):
    before = time.monotonic()
    subprocess.run(command, check=True)
    times.append(time.monotonic() - before)


def run_due_jobs(case):
    global late
    run_job("sh", case + "/backup.sh")
    late = time.monotonic() - start
    run_job("true")


run_due_jobs(os.environ["CASE"])
with open("truth", "w") as truth:
    truth.write(f"backup {times[0]:.3f}\nmails {times[1]:.3f}\nmails_late_by {late:.3f}\n")
