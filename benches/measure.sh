# Functions the benchmark scripts share. Needs GNU time and bash.
#
# Machines are shared and noisy: the figure to trust is CPU seconds (user + system), the minimum of
# several runs. All figures of a row are of that one run. A run that fails counts for nothing.

runs=${RUNS:-5}

command -v /usr/bin/time >/dev/null || { echo "GNU time is missing: apt-get install time"; exit 1; }

# measure LABEL COMMAND…: runs the command and prints, as a row of a table, CPU seconds, wall seconds and
# memory of the run with the least CPU, and how many runs ended well. Leaves the two times in $cpu_s and
# $wall_s, and the CPU seconds of all these runs in $all_s; all are empty where no run ended well.
measure() {
  local label=$1 memory="" done=0 line user sys elapsed kb total file
  shift
  file=$(mktemp)
  cpu_s="" wall_s="" all_s=""
  for _ in $(seq "$runs"); do
    [ -z "${BEFORE:-}" ] || eval "$BEFORE"
    if ! /usr/bin/time -f '%U %S %e %M' -o "$file" "$@" >/dev/null 2>/dev/null; then
      echo "failed: $*" >&2
      continue
    fi
    done=$((done + 1))
    line=$(tail -n 1 "$file")
    read -r user sys elapsed kb <<<"$line"
    total=$(awk "BEGIN{printf \"%.2f\", $user+$sys}")
    all_s="$all_s $total"
    if [ -z "$cpu_s" ] || awk "BEGIN{exit !($total<$cpu_s)}"; then
      cpu_s=$total wall_s=$elapsed memory=$((kb / 1024))
    fi
  done
  rm -f "$file"
  printf '| %-34s | %8s | %8s | %8s | %5s |\n' "$label" "${cpu_s:--}" "${wall_s:--}" "${memory:--}" "$done/$runs"
}

heading() {
  printf '| %-34s | %8s | %8s | %8s | %5s |\n' "$1" 'CPU s' 'wall s' 'MB' 'runs'
  printf '|%s|---------:|---------:|---------:|------:|\n' '------------------------------------'
}

# ratio LABEL THEIRS OURS: how often the least of OURS goes into the least of THEIRS (two lists of
# seconds), and the spread: the least of THEIRS by the largest of OURS, and the other way round.
ratio() {
  [ -n "$2" ] && [ -n "$3" ] || { echo "$1: not measured"; return; }
  awk -v label="$1" -v theirs="$2" -v ours="$3" 'BEGIN {
    n = split(theirs, t, " "); m = split(ours, o, " ")
    for (i = 1; i <= n; i++) { if (i == 1 || t[i] < tl) tl = t[i]; if (t[i] > th) th = t[i] }
    for (i = 1; i <= m; i++) { if (i == 1 || o[i] < ol) ol = o[i]; if (o[i] > oh) oh = o[i] }
    if (ol == 0 || oh == 0) { print label ": too fast to tell"; exit }
    printf "%s: %.1f times (%.1f to %.1f; %d and %d runs)\n", label, tl / ol, tl / oh, th / ol, n, m
  }'
}
