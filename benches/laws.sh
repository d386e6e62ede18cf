#!/bin/bash
# How often the verdict is right on real commands: laws.sh [ROUNDS [HALF]]. Runs every line of laws.txt, or of one
# half (tuning, aside), ROUNDS times (1), on this machine as busy as it is. It prints the verdicts that were wrong,
# and how many were right, of the lines for tuning and of those set aside. "Irregular", "bend" and "too few" claim
# no law: they are counted apart. What this machine cannot provide is skipped and told.

set -eu
here=$(cd "$(dirname "$0")" && pwd)
whyslow=${WHYSLOW:-$here/../target/release/whyslow}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# law ROWS: the law in the CSV of standard input for an operation or a way.
law() {
  awk -F, -v rows="$1" 'NR==1{for(i=1;i<=NF;i++)c[$i]=i; next}
    {whole=$0; gsub(/"/,""); name=rows; sub(/^count:/,"",name)}
    $c["operation"]==name || $c["arm"]==name {
      if (rows !~ /^count:/) print $c["law"]
      else print (whole ~ /like n to the power of (0.9|1.0)/ ? "growth" : "constant")
      exit}'
}

for _ in $(seq "${1:-1}"); do
  while IFS=@ read -r half rows right command why; do
    case $half in ''|\#*) continue ;; esac
    [[ $half == "${2:-$half}" ]] || continue
    rm -rf "$work/here"
    mkdir "$work/here"
    cd "$work/here"
    if ! said=$(eval "\"$whyslow\" lab ${command%% *} --format csv ${command#* }" 2>"$work/error" </dev/null); then
      echo "skipped: $command: $(head -n 1 "$work/error")"
      continue
    fi
    found=$(law "$rows" <<<"$said")
    found=${found// /-}
    if [[ " $right " == *" $found "* ]]; then
      echo "$half: right" >>"$work/verdicts"
    elif [[ $found == irregular || $found == bend || $found == too-few ]]; then
      echo "$half: no law claimed" >>"$work/verdicts"
      echo "no law claimed: $command ($rows): $found; it is $why"
    else
      echo "$half: wrong" >>"$work/verdicts"
      echo "wrong: $command ($rows): $found; it is $why"
    fi
  done <"$here/laws.txt"
done
sort "$work/verdicts" | uniq -c
