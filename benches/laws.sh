#!/bin/bash
# How often the verdict is right on real commands: laws.sh [ROUNDS]. Runs every line of laws.txt, ROUNDS times
# (1), on this machine as busy as it is, and prints the wrong verdicts and the shares of right ones, of the
# lines for tuning and of those set aside. What this machine cannot provide is skipped and told.

set -eu
here=$(cd "$(dirname "$0")" && pwd)
whyslow=${WHYSLOW:-$here/../target/release/whyslow}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

for _ in $(seq "${1:-1}"); do
  while IFS='|' read -r half rows right command why; do
    case $half in ''|\#*) continue ;; esac
    command=${command//LAB/"$here"}
    if ! said=$(eval "\"$whyslow\" lab $command --format csv" 2>"$work/error" </dev/null); then
      echo "skipped: $command: $(head -n 1 "$work/error")"
      continue
    fi
    # The law of the rows asked for, by operation or way.
    law=$(awk -F, -v rows="$rows" 'NR==1{for(i=1;i<=NF;i++)c[$i]=i; next}
      {gsub(/"/,"")} $c["operation"]==rows || $c["arm"]==rows {print $c["law"]; exit}' <<<"$said")
    if [[ " $right " == *" ${law// /-} "* ]]; then
      echo "$half right" >>"$work/verdicts"
    else
      echo "$half wrong" >>"$work/verdicts"
      echo "wrong: $command ($rows): $law, right are: $right, for $why"
    fi
  done <"$here/laws.txt"
done
sort "$work/verdicts" | uniq -c
