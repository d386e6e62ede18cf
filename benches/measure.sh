# Functions the benchmark scripts share. Needs GNU time and bash.
#
# Machines are shared and noisy: the figure to trust is CPU seconds (user + system), the minimum of
# several runs. Wall time is an upper bound.

runs=${RUNS:-5}

command -v /usr/bin/time >/dev/null || { echo "GNU time is missing: apt-get install time"; exit 1; }

# measure LABEL COMMAND…: prints minimum CPU seconds, its wall seconds, and the largest memory.
# Prints them as a table row and leaves the seconds in $cpu_s and $wall_s.
measure() {
  local label=$1; shift
  local best="" wall="" memory=0 line user sys elapsed kb total file
  file=$(mktemp)
  for _ in $(seq "$runs"); do
    [ -z "${BEFORE:-}" ] || eval "$BEFORE"
    /usr/bin/time -f '%U %S %e %M' -o "$file" "$@" >/dev/null 2>/dev/null ||
      echo "failed, with code $?: $*" >&2
    line=$(tail -n 1 "$file")
    read -r user sys elapsed kb <<<"$line"
    total=$(awk "BEGIN{printf \"%.2f\", $user+$sys}")
    if [ -z "$best" ] || awk "BEGIN{exit !($total<$best)}"; then best=$total wall=$elapsed; fi
    [ "$kb" -gt "$memory" ] && memory=$kb
  done
  rm -f "$file"
  cpu_s=$best wall_s=$wall
  printf '| %-34s | %8s | %8s | %8s |\n' "$label" "$best" "$wall" "$((memory / 1024))"
}

heading() {
  printf '| %-34s | %8s | %8s | %8s |\n' "$1" 'CPU s' 'wall s' 'MB'
  printf '|%s|---------:|---------:|---------:|\n' '------------------------------------'
}
