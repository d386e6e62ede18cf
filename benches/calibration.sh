#!/bin/bash
# How good the verdicts are, strictly scored: calibration.sh [HALF]. First the synthetic situations of whyslow-law, then the
# real ones of calibration.txt (of one half: tuning, aside), measured on this machine as busy as it is. A verdict is
# right if the line lists it; growth only if the range of p is no wider than 1.5 and meets the true one. Where the line
# says how ten times n is measured, that is done, and compared with the interval.

set -eu
here=$(cd "$(dirname "$0")" && pwd)
whyslow=${WHYSLOW:-$here/../target/release/whyslow}
if [[ -z ${REAL_ONLY:-} ]]; then
  (cd "$here/.." && cargo test --release -p whyslow-law --test calibration -- --nocapture)
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
while IFS=@ read -r half rows right p tenfold command why; do
  case $half in ''|\#*) continue ;; esac
  [[ $half == "${1:-$half}" ]] || continue
  rm -rf "$work/here"
  mkdir "$work/here"
  cd "$work/here"
  # What is written as \n in a line is one in the command.
  command=${command//\\n/$'\n'}
  if ! eval "\"$whyslow\" lab ${command%% *} --format json ${command#* }" >"$work/said.json" 2>"$work/error" </dev/null; then
    echo "skipped: $command: $(head -n 1 "$work/error")"
    continue
  fi
  : >"$work/ten.json"
  if [[ -n $tenfold ]]; then
    tail=${command#* -- }
    [[ $command == *' -- '* ]] || tail=
    tenfold=${tenfold//\\n/$'\n'}
    # shellcheck disable=SC2086
    eval "\"$whyslow\" lab ${tenfold%% *} --passes 1 --format json ${tenfold#* } ${tail:+-- $tail}" >"$work/ten.json" 2>>"$work/error" </dev/null || :
  fi
  python3 "$here/calibration.py" "$half" "$rows" "$right" "$p" "$why" "$work/said.json" "$work/ten.json" >>"$work/scores"
  tail -n 1 "$work/scores"
done <"$here/calibration.txt"
echo
cut -f 1 -d ':' "$work/scores" | sort | uniq -c
cut -f 2 -d ':' "$work/scores" | sort | uniq -c
