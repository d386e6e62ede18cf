#!/bin/bash
# Encodes all clips, one after the other.
encoder=$1

wait_for() {
    while kill -0 "$1" 2> /dev/null; do
        sleep 0.3
    done
}

start=$EPOCHREALTIME clips=0
for clip in intro interview harbour market night credits; do
    "$encoder" "$clip" > "$clip.out" &
    wait_for $!
    clips=$((clips + 1))
done
end=$EPOCHREALTIME
cat ./*.out | awk -v took="$(echo "$end - $start" | bc)" -v clips="$clips" \
    '{ busy += $2 } END { print "after_encoding", 1 - busy / took; print "clips", clips }' > truth
