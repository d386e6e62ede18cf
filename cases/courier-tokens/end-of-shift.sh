#!/bin/bash
# End of a shift: the session tokens of the couriers are listed and destroyed.
set -eu
end=$(( $(date +%s%N) + 1900000000 ))
gone=0
shopt -s nullglob

destroy() {
    shred -u -z "$@"
}

while [ "$(date +%s%N)" -lt "$end" ]; do
    batch=(tokens/*.token)
    [ ${#batch[@]} -gt 0 ] || break
    batch=("${batch[@]:0:10}")
    sha256sum "${batch[@]}" >> destroyed.list
    destroy "${batch[@]}"
    gone=$(( gone + ${#batch[@]} ))
done
echo "$gone tokens destroyed"
