#!/usr/bin/env bash
# Python's functions as py-spy sees them and as Whyslow does, in one run; and what each costs the program. As root.
#
#   PYSPY=PATH benches/python.sh [PYTHON…]        (RUNS=6, SECONDS_EACH=3)
#
# The program computes in four functions, one below the other and side by side, and tells its own CPU time per round.
# Both sample 1,000 times a second. First both watch the same run: the shares of the functions stand side by side.
# Then the program runs alone, with Whyslow, and with py-spy, in turns; the least CPU time per round counts.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
whyslow=${WHYSLOW:-$here/../target/release/whyslow}
pyspy=${PYSPY:-py-spy}
pythons=("${@:-python3}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/job.py" <<'P'
import json, sys, time

def squares(n):
    return sum([i * i for i in range(n)])

def texts(n):
    return "".join(["%d-%s" % (i, i) for i in range(n)])

def encode(n):
    return json.dumps([{"a": i, "b": [i, str(i)]} for i in range(n)])

def sort_all(n):
    return sorted(range(n), key=lambda i: (i * 7919) % n)

def round_of_work():
    squares(3000); texts(1000); encode(300); sort_all(1500)

end, rounds = time.time() + float(sys.argv[1]), 0
began = time.process_time()
while time.time() < end:
    round_of_work()
    rounds += 1
with open(sys.argv[2], "w") as out:
    out.write("%.3f\n" % ((time.process_time() - began) / rounds * 1e6))
P

# Samples below each function, in percent: `function percent` per line.
of_pyspy() {
  awk '{ n = $NF; $NF = ""; if (index($0, "round_of_work (")) all += n
         split("squares texts encode sort_all", names, " ")
         for (i in names) if (index($0, names[i] " (")) sum[names[i]] += n }
       END { for (f in sum) printf "%s %.1f\n", f, 100 * sum[f] / all }' "$1"
}
of_whyslow() {
  "$whyslow" cpu "$1" --process 'python*' --functions 'round_of_work;squares;texts;encode;sort_all' \
    --columns method,cpu --format csv 2>/dev/null |
    awk -F , '$1 == "round_of_work" { all = $2 } { sum[$1] = $2 }
              END { for (f in sum) if (f != "method" && f != "round_of_work" && all > 0) printf "%s %.1f\n", f, 100 * sum[f] / all }'
}

seconds=${SECONDS_EACH:-3}
cd "$work"
for python in "${pythons[@]}"; do
  python=$("$python" -c 'import sys; print(sys.executable)')
  echo "== $("$python" -V), load $(cut -d ' ' -f 1 /proc/loadavg)"
  "$whyslow" run --name both -o why.txt -- "$pyspy" record -r 1000 -f raw -o spy.txt -- \
    "$python" job.py "$seconds" both.us >/dev/null 2>&1
  of_pyspy spy.txt | sort >spy.shares
  of_whyslow both_*.whyslow | sort >own.shares
  printf '%-12s %10s %10s\n' function py-spy whyslow
  join spy.shares own.shares | awk '{ printf "%-12s %8.1f %% %8.1f %%\n", $1, $2, $3 }'
  rm -rf both_*.whyslow
  for run in $(seq "${RUNS:-6}"); do
    "$python" job.py "$seconds" alone.$run
    "$whyslow" run --name cost -o why.txt -- "$python" job.py "$seconds" whyslow.$run >/dev/null 2>&1
    "$pyspy" record -r 1000 -f raw -o spy.txt -- "$python" job.py "$seconds" py-spy.$run >/dev/null 2>&1
    rm -rf cost_*.whyslow
  done
  least() { cat "$1".* | sort -n | head -n 1; }
  alone=$(least alone)
  for mode in whyslow py-spy; do
    awk -v mode="$mode" -v alone="$alone" -v with="$(least $mode)" \
      'BEGIN { printf "%-8s %8.1f µs of CPU per round, alone %8.1f: %+.1f %%\n", mode, with, alone, 100 * (with / alone - 1) }'
  done
  rm -f alone.* whyslow.* py-spy.*
done
