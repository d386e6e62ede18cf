#!/usr/bin/env bash
# Time of a question over one extract and over many, whole process.
#
#   benches/query.sh EXTRACT [COPIES=200]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/measure.sh"
whyslow=${WHYSLOW:-$here/../target/release/whyslow}
extract=$1
copies=${2:-200}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for i in $(seq "$copies"); do cp -r "$extract" "$work/$i.whyslow"; done
heading question
measure 'cpu --functions *, one extract' "$whyslow" cpu --functions '*' --top 20 "$extract"
measure "cpu --functions *, $copies extracts" "$whyslow" cpu --functions '*' --top 20 "$work"
measure "cpu, $copies extracts" "$whyslow" cpu --top 20 "$work"
measure "processes, $copies extracts" "$whyslow" processes --top 20 "$work"
measure 'processes' "$whyslow" processes "$extract"
measure 'threads' "$whyslow" threads "$extract"
measure 'cpu --functions of one process' "$whyslow" cpu --functions '*' --process '*sh*' --top 20 "$extract"
measure 'stacks' "$whyslow" stacks "$extract"
