"""Runs programs as the account of the harvest, which is not root: the sorters beside, or the script with its limit of processes."""
import os
import signal
import sys
import time

ACCOUNT = 61717


def become_account():
    os.setgroups([])
    os.setgid(ACCOUNT)
    os.setuid(ACCOUNT)


def sort_plums():
    """Four sorters, who are done one and a half seconds after the pressing began."""
    with open("/proc/self/comm", "w") as comm:
        comm.write("sorters")
    os.chmod(".", 0o777)
    become_account()
    sorters = []
    for _ in range(4):
        child = os.fork()
        if child == 0:
            signal.pause()
        sorters.append(child)
    open("ready", "w").close()
    while not os.path.exists("harvest-begins"):
        time.sleep(0.01)
    time.sleep(1.5)
    for child in sorters:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    time.sleep(60)


def press():
    script = os.open(os.path.join(os.environ["CASE"], "main.sh"), os.O_RDONLY)
    os.set_inheritable(script, True)
    become_account()
    os.execv("/bin/bash", ["bash", f"/proc/self/fd/{script}", "5"])


if sys.argv[1:] == ["sort"]:
    sort_plums()
else:
    press()
