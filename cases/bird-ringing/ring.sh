#!/bin/bash
# Notes each bird that is ringed in the day's list.
birds=(wren robin tit finch swift)
end=$((${EPOCHREALTIME/[.,]/} + 2000000))
ring=0
while ((${EPOCHREALTIME/[.,]/} < end)); do
    ring=$((ring + 1))
    echo "ring $ring: ${birds[ring % 5]}" >> today.txt
done
