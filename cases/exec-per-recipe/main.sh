#!/bin/bash
# Makes a list of check sums of a collection of recipes. find starts sha256sum for each file ("\;" instead of "+").
set -eu

write_recipes() {
    mkdir recipes
    for number in $(seq 150); do
        echo "Take $number eggs and stir well." > "recipes/recipe-$number.txt"
    done
}

list_checksums() {
    find recipes -name '*.txt' -exec sha256sum {} \; > checksums.txt
}

write_recipes
start=${EPOCHREALTIME/./}
rounds=0
while ((${EPOCHREALTIME/./} - start < 1700000)); do
    list_checksums
    rounds=$((rounds + 1))
done
spent=$((${EPOCHREALTIME/./} - start))
before=${EPOCHREALTIME/./}
find recipes -name '*.txt' -exec sha256sum {} + > checksums.txt
once=$((${EPOCHREALTIME/./} - before))
printf 'rounds %d\nms_per_round %d\nms_by_one_sha256sum %d\n' $rounds $((spent / rounds / 1000)) $((once / 1000)) > truth
