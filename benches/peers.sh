#!/usr/bin/env bash
# The same work under strace -c, perf trace -s, bpftrace and whyslow record: do they count the same calls, and what does
# each cost the program? As root.
#
#   benches/peers.sh                   (ROUNDS=20000, RUNS=3)
#
# The program makes known numbers of calls in two threads and a child, some of which fail. A row for each call shows
# what the work itself makes, and what each tool counted, with the errors after a slash. A tool also sees the loading of
# libraries and the writing of the result. Rows in which the tools differ end with a star; benches/README.md explains
# these. Then follow the least wall times of all turns.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
whyslow=${WHYSLOW:-$here/../target/release/whyslow}
work=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$work"' EXIT
rounds=${ROUNDS:-20000}

cat >"$work/peers-work.c" <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static int rounds;
static void *work(void *name) {
  char byte[64];
  int in = open("/proc/self/exe", O_RDONLY), out = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0600);
  for (int i = 0; i < rounds; i++) {
    if (pread(in, byte, 64, i % 4096) != 64 || pwrite(out, byte, 7, i) != 7) abort();
    if (i % 4 == 0) close(open(name, O_RDONLY));
    if (i % 5 == 0 && open("no-such-file", O_RDONLY) >= 0) abort();
    if (i % 10 == 0 && unlink("no-such-file") == 0) abort();
  }
  close(in); close(out);
  return 0;
}
int main(int argc, char **argv) {
  struct timespec from, to;
  clock_gettime(CLOCK_MONOTONIC, &from);
  rounds = atoi(argv[1]);
  pthread_t other;
  pthread_create(&other, 0, work, "a");
  work("b");
  pthread_join(other, 0);
  pid_t child = fork();
  if (!child) { for (int i = 0; i < rounds; i++) getppid(); _exit(0); }
  waitpid(child, 0, 0);
  clock_gettime(CLOCK_MONOTONIC, &to);
  FILE *out = fopen(argv[2], "a");
  fprintf(out, "%.6f\n", (to.tv_sec - from.tv_sec) + (to.tv_nsec - from.tv_nsec) / 1e9);
  return fclose(out);
}
C
cc -O2 -pthread -o "$work/peers-work" "$work/peers-work.c"
cd "$work"

# What each tool says, as lines: CALL COUNT ERRORS.
of_strace() {
  # % time, seconds, usecs/call, calls, errors (if any), name.
  awk '$1 ~ /^[0-9.]+$/ && NF >= 5 && $NF != "total" { print $NF, $4, NF == 6 ? $5 : 0 }' log
}
of_perf() {
  # The summary has a table for each thread: name, calls, errors, times.
  awk '$1 ~ /^[a-z_0-9]+$/ && $2 ~ /^[0-9]+$/ && $3 ~ /^[0-9]+$/ { n[$1] += $2; e[$1] += $3 }
       END { for (call in n) print call, n[call], e[call] }' log
}
of_bpftrace() {
  # @calls[17]: 40000, and @failed[257]: 8000; numbers of calls become names by the kernel's own table.
  awk -F '[][]+|: ' '/^@calls/ { n[$2] = $NF } /^@failed/ { e[$2] = $NF }
       END { for (call in n) print call, n[call], e[call] + 0 }' log |
    while read -r number count errors; do
      echo "$(awk -v n="$number" '$1 == n { print $2 }' numbers) $count $errors"
    done
}
of_whyslow() {
  "$whyslow" extract --force --no-symbols -q x.data -o x.whyslow >log 2>&1
  "$whyslow" syscalls x.whyslow --process peers-work --format csv --columns call,result,calls |
    tr -d '\r' | awk -F , 'NR > 1 { n[$1] += $3; if ($2 != "ok" && $2 != "") e[$1] += $3 }
       END { for (call in n) print call, n[call], e[call] + 0 }'
}

calls="pread64 pwrite64 openat close unlink getppid"
grep -h '__NR_' /usr/include/x86_64-linux-gnu/asm/unistd_64.h |
  awk '{ sub("__NR_", "", $2); print $3, $2 }' >numbers
modes="alone strace perf-trace whyslow"
command -v bpftrace >/dev/null && modes+=" bpftrace"
for _ in $(seq "${RUNS:-3}"); do
  for mode in $modes; do
    run=("$work/peers-work" "$rounds" "$work/time.$mode")
    case $mode in
      alone) "${run[@]}" ;;
      strace) strace -c -f -o log "${run[@]}"; of_strace >counts.strace ;;
      perf-trace) perf trace -s -o log "${run[@]}"; of_perf >counts.perf-trace ;;
      bpftrace)
        bpftrace -q -c "${run[*]}" -e 'tracepoint:raw_syscalls:sys_exit /comm == "peers-work"/ {
          @calls[args->id] = count(); if (args->ret < 0) { @failed[args->id] = count(); } }' >log 2>&1
        of_bpftrace >counts.bpftrace ;;
      whyslow) "$whyslow" record -q --force -o x.data "${run[@]}" >log 2>&1; of_whyslow >counts.whyslow ;;
    esac
  done
done

known() {
  local both=$((2 * rounds))
  case $1 in
    pread64 | pwrite64) echo "$both/0" ;;
    openat) echo "$((both / 4 + both / 5 + 4))/$((both / 5))" ;;
    close) echo "$((both / 4 + 4))/0" ;;
    unlink) echo "$((both / 10))/$((both / 10))" ;;
    getppid) echo "$rounds/0" ;;
  esac
}
printf '%-10s %14s' call program
for mode in $modes; do [ "$mode" = alone ] || printf ' %14s' "$mode"; done
echo
for call in $calls; do
  printf '%-10s %14s' "$call" "$(known "$call")"
  seen=""
  for mode in $modes; do
    [ "$mode" = alone ] && continue
    count=$(awk -v call="$call" '$1 == call { n += $2; e += $3 } END { print n + 0 "/" e + 0 }' "counts.$mode")
    printf ' %14s' "$count"
    seen+="$count "
  done
  [ "$(tr ' ' '\n' <<<"$seen" | sort -u | sed '/^$/d' | wc -l)" = 1 ] || printf ' *'
  echo
done
echo
alone=$(sort -n time.alone | head -1)
for mode in $modes; do
  least=$(sort -n "time.$mode" | head -1)
  awk -v mode="$mode" -v least="$least" -v alone="$alone" \
    'BEGIN { printf "%-12s %8.0f ms %8.2f times\n", mode, least * 1000, least / alone }'
done
