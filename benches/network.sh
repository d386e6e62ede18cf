#!/usr/bin/env bash
# What recording costs those who talk to others: an HTTP server (CPU time per request), and a program that looks up names (CPU
# time per name). As root, with Go and a C compiler.
#
#   benches/network.sh                (RUNS=5, REQUESTS=100000, NAMES=100000)
#
# Recordings take turns with runs without one, so that a busy moment of the machine hits all alike. The programs measure
# their own CPU time; the least of all turns counts, and its ratio to that of the program alone. Each recording's counts of
# connections and look-ups are printed beside what the programs did.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
whyslow=${WHYSLOW:-$here/../target/release/whyslow}
work=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$work"' EXIT
requests=${REQUESTS:-100000} names=${NAMES:-100000}
(cd "$here/network" && go build -o "$work/serve" serve.go && cc -O2 -o "$work/look_up" look_up.c)
echo "nameserver 127.0.0.1" >"$work/resolv.conf"
cat >"$work/names" <<'SH'
#!/bin/sh
mount --bind "$1/resolv.conf" /etc/resolv.conf && ip link set lo up && exec "$1/look_up" "$2" "$3"
SH
chmod +x "$work/names"

# once MODE: a run of each program, alone or recorded.
once() {
  local before=() kind
  for kind in http names; do
    if [ "$1" = recorded ]; then before=("$whyslow" record --force -o "$work/$kind.data" --); fi
    case $kind in
      http) "${before[@]}" "$work/serve" "$requests" "$work/http.$1" ;;
      names) "${before[@]}" unshare -mn "$work/names" "$work" "$names" "$work/names.$1" ;;
    esac >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  done
}
for _ in $(seq "${RUNS:-5}"); do once alone; once recorded; done

echo "$(nproc) CPUs, kernel $(uname -r), load $(cut -d ' ' -f 1 /proc/loadavg), $("$whyslow" --version)"
echo "| program | alone, ns | recorded, ns | ratio |"
echo "|---|--:|--:|--:|"
for kind in http names; do
  least() { sort -n "$work/$kind.$1" | head -n 1; }
  awk -v kind="$kind" -v a="$(least alone)" -v r="$(least recorded)" \
    'BEGIN { printf "| %s | %d | %d | %.3f |\n", kind, a, r, r / a }'
done
for kind in http names; do
  "$whyslow" extract --force -o "$work/$kind.whyslow" "$work/$kind.data" >/dev/null 2>&1
done
echo "connections of the last recording ($requests requests on 8 connections):"
"$whyslow" tcp "$work/http.whyslow" 2>/dev/null | head -n 4
echo "look-ups of the last recording ($names names):"
"$whyslow" dns "$work/names.whyslow" 2>/dev/null | head -n 4
