#!/bin/bash
# The sales report of the night. Runs in the container of the shop, like everything of the shop.
echo $$ > /sys/fs/cgroup/cpu/night-container/tasks
end=$((SECONDS + 3))
rounds=0
while ((SECONDS < end)); do
    awk '{ n[$2] += $3; c[$2]++ } END { for (s in n) printf "%s %.2f\n", s, n[s] / c[s] }' sales.txt | sort -k2,2n > report.txt
    rounds=$((rounds + 1))
done
grep -E 'nr_throttled|throttled_time' /sys/fs/cgroup/cpu/night-container/cpu.stat
echo "$rounds reports"
