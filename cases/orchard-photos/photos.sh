mkdir -p photos
for n in 1 2 3 4 5 6 7 8; do head -c 600000 /dev/urandom > photos/tree-$n.jpg; done
