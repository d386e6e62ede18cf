# Writes labels for the scans of a folder: a number and the name without its end.
now() { date +%s%N; }

next_label() {
    number=$(expr $number + 1)
    name=$(basename "/archive/scans/$1" .tif)
    echo "$number $name"
}

next_label_inside() {
    number=$((number + 1))
    name=${1##*/}
    echo "$number ${name%.tif}"
}

number=1000
start=$(now)
labels=0
while [ $(($(now) - start)) -lt 2000000000 ]; do
    for scan in a b c d e f g h i j k l m n o p q r s t; do
        next_label "letter-$scan.tif"
    done
    labels=$((labels + 20))
done > labels.txt
wall=$(($(now) - start))
before=$(now)
for scan in a b c d e f g h i j k l m n o p q r s t; do
    next_label_inside "letter-$scan.tif"
done > other.txt
other=$(($(now) - before))
printf 'labels %s\nus_each %s\nus_each_inside %s\n' $labels $((wall / labels / 1000)) $((other / 20 / 1000)) > truth
