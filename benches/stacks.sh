#!/usr/bin/env bash
# How many user stacks reach the function in which their thread begins, and how many frames are wrong, by language; of CPU
# samples and of waits. As root.
#
#   JUDGE=PYTHON benches/stacks.sh [NAME…]        (SECONDS_EACH=3, KEEP=DIR)
#
# JUDGE is a Python that has the module duckdb: stacks/judge.py reads the extract's own tables (`cpu_sample`, `thread_state`,
# `stack`, `address`, `symbol`). For a whole recording, `whyslow stats` has the same shares. Each program in stacks/ knows
# where it is: each function of its chain determines which function called it. They use their library meanwhile (sort
# with a callback, format, collect garbage), most of them in two threads, and wait. What is not on this machine is
# skipped, by name. With KEEP, the extracts are left there.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
whyslow=${WHYSLOW:-$here/../target/release/whyslow}
judge=${JUDGE:-python3}
"$judge" -c 'import duckdb' 2>/dev/null || { echo "the module duckdb is missing: pip install duckdb, or set JUDGE"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
extracts=${KEEP:-$work/extracts}
seconds=${SECONDS_EACH:-3}
cd "$here/stacks"

c() { "${CC:-gcc}" -O2 -fomit-frame-pointer "$@" chain.c -lm -pthread; }

# Builds and runs a program: sets `run`; fails if something for it is missing.
prepare() {
  local own=$work/$1
  run=("$own")
  case $1 in
    c) c -o "$own" ;;
    c-large-frame) c -DLARGE_FRAME -o "$own" ;;
    c-large-frames) c -DLARGE_FRAMES -o "$own" ;;
    c-musl) CC=musl-gcc c -static -o "$own" ;;
    c++) g++ -O2 -fomit-frame-pointer -o "$own" chain.cc -pthread ;;
    rust) rustc -O -Cforce-frame-pointers=no -o "$own" chain.rs ;;
    go) go build -o "$own" chain.go ;;
    go-gogc-5) go build -o "$own" chain.go && run=(env GOGC=5 "$own") ;;
    java) javac -d "$work" Chain.java && run=(java -cp "$work" Chain) ;;
    node) run=(node chain.js) ;;
    python) run=("$(python3 -c 'import sys; print(sys.executable)')" chain.py) ;;
    ruby) run=(ruby chain.rb) ;;
    php) run=(php chain.php) ;;
    perl) run=(perl chain.pl) ;;
    lua) run=(lua5.4 chain.lua) ;;
    *) echo "there is no such program" >&2 && false ;;
  esac || return
  command -v "${run[0]}" >/dev/null
}

# Kind of the program's own frames, and the share of whole stacks that is the aim.
kind() { case $1 in c | c-* | c++ | rust | go | go-*) echo native ;; *) echo language ;; esac; }
aim() {
  case $1 in
    c-large-frame) echo 97 ;; c-musl) echo 90 ;; go | go-*) echo 97 ;; java) echo 95 ;; node) echo 97 ;; python) echo 99 ;;
    *) echo – ;;
  esac
}

all=(c c-large-frame c-large-frames c-musl c++ rust go go-gogc-5 java node python ruby php perl lua)
echo "$(nproc) CPUs, kernel $(uname -r), load $(cut -d ' ' -f 1 /proc/loadavg), $("$whyslow" --version)"
"$judge" judge.py --heading
for name in "${@:-${all[@]}}"; do
  if ! prepare "$name" 2>"$work/why"; then
    echo "| $name | skipped: $(head -n 1 "$work/why") |"
    continue
  fi
  mkdir -p "$extracts/$name"
  "$whyslow" run -q --name "$name" --output-dir "$extracts/$name" -o "$extracts/$name/why.txt" -- "${run[@]}" "$seconds" \
    >/dev/null
  "$judge" judge.py "$name" "$(kind "$name")" "$(aim "$name")" "$extracts/$name"/*.whyslow
  [ -n "${KEEP:-}" ] || rm -rf "${extracts:?}/$name"
done
