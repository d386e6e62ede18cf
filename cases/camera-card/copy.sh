#!/bin/bash
# Copies the clips of a camera's card to their archive, safely; the card gives them for two seconds.
head -c 1M /dev/urandom > clip.mov
mkdir archive
end=$((${EPOCHREALTIME/[.,]/} + 2000000))
clip=0
while ((${EPOCHREALTIME/[.,]/} < end)); do
    clip=$((clip + 1))
    dd if=clip.mov of=archive/clip-$clip.mov bs=8k oflag=dsync 2> /dev/null
done
