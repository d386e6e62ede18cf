"""Runs the planner in the slice of the kitchen's programs, which may have 30 % of a CPU."""
import os
import sys

OLD = "/sys/fs/cgroup/cpu"
NEW = "/sys/fs/cgroup"
NAME = "sorbet-kitchen"


def write(path, text):
    with open(path, "w") as f:
        f.write(text)


old = os.path.exists(f"{OLD}/cpu.cfs_quota_us") or os.path.exists(f"{OLD}/cpu.shares")
folder = f"{OLD if old else NEW}/{NAME}"
if sys.argv[1] == "make":
    if not old:
        write(f"{NEW}/cgroup.subtree_control", "+cpu")
    os.makedirs(folder, exist_ok=True)
    if old:
        write(f"{folder}/cpu.cfs_period_us", "100000")
        write(f"{folder}/cpu.cfs_quota_us", "30000")
    else:
        write(f"{folder}/cpu.max", "30000 100000")
elif sys.argv[1] == "remove":
    os.rmdir(folder)
else:
    write(f"{folder}/cgroup.procs", str(os.getpid()))
    os.execvp(sys.argv[2], sys.argv[2:])
