#!/bin/bash
# Stages the night's dumps on the small staging area, from where the robot takes them to tape.
dumps=(dumps/*.dump)

put() {
    local tries=0
    until cp "$1" staging/ 2>/dev/null; do
        rm -f "staging/${1##*/}"
        echo "no room for ${1##*/}"
        sleep 0.3
        tries=$((tries + 1))
        [ $tries -lt 40 ] || exit 1
    done
}

t0=$EPOCHREALTIME
for dump in "${dumps[@]}"; do
    put "$dump"
    cksum "$dump" >> staged.sums
    touch "staging/${dump##*/}.done"
done
awk "BEGIN { printf \"all %.3f\n\", $EPOCHREALTIME - $t0 }"
