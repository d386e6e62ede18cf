# The backup of a host: freezes a container while it copies the container's state, three times in a row.
import os, time
group = "/sys/fs/cgroup/freezer/timetable-job"
os.makedirs(group, exist_ok=True)
def set_state(state):
    open(group + "/freezer.state", "w").write(state)
open("ready", "w").close()
while not open(group + "/tasks").read().split():
    time.sleep(0.01)
for part in range(3):
    time.sleep(0.25)
    set_state("FROZEN")
    time.sleep(0.4)
    set_state("THAWED")
time.sleep(60)
