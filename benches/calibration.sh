#!/bin/bash
# How good the verdicts are, strictly scored: calibration.sh [HALF [FIRST [LAST]]]. First the synthetic situations of
# whyslow-law, then the real ones of calibration.txt (of one half: tuning, aside, or all; from the first to the last of
# them), measured on this machine as busy as it is. A verdict is right if the line lists it; growth only if the range of p
# is no wider than 1.5 and meets the true one. Where the line says how ten times n is measured, that is done, and compared
# with the interval. REAL_ONLY=1 leaves the synthetic ones out; SCORES is a file that keeps the scores of several calls; KEEP is a directory that
# gets what was measured.

set -eu
here=$(cd "$(dirname "$0")" && pwd)
whyslow=${WHYSLOW:-$here/../target/release/whyslow}
if [[ -z ${REAL_ONLY:-} ]]; then
  (cd "$here/.." && cargo test --release -p whyslow-law --test calibration -- --nocapture)
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
scores=${SCORES:-$work/scores}
half_wanted=${1:-all} first=${2:-1} last=${3:-1000000} number=0
while IFS=@ read -r half rows right p tenfold command why; do
  case $half in ''|\#*) continue ;; esac
  [[ $half_wanted == all || $half == "$half_wanted" ]] || continue
  number=$((number + 1))
  ((number >= first && number <= last)) || continue
  rm -rf "$work/here"
  mkdir "$work/here"
  cd "$work/here"
  # What is written as \n in a line is one in the command, and \\ is a backslash.
  command=${command//\\\\/$'\1'}
  command=${command//\\n/$'\n'}
  command=${command//$'\1'/\\}
  if ! eval "\"$whyslow\" lab ${command%% *} --format json ${KEEP:+-o \"$KEEP/$number\"} ${command#* }" >"$work/said.json" 2>"$work/error" </dev/null; then
    echo "skipped: $command: $(head -n 1 "$work/error")"
    continue
  fi
  : >"$work/ten.json"
  if [[ -n $tenfold ]]; then
    tail=${command#* -- }
    [[ $command == *' -- '* ]] || tail=
    # shellcheck disable=SC2086
    eval "\"$whyslow\" lab ${tenfold%% *} --passes 1 --format json ${tenfold#* } ${tail:+-- $tail}" >"$work/ten.json" 2>>"$work/error" </dev/null || :
  fi
  python3 "$here/calibration.py" "$half" "$rows" "$right" "$p" "$why" "$work/said.json" "$work/ten.json" >>"$scores"
  echo "$number $(tail -n 1 "$scores")"
done <"$here/calibration.txt"
echo
cut -f 1 -d ':' "$scores" | sort | uniq -c
cut -f 2 -d ':' "$scores" | sort | uniq -c
