# Draws the layers of three parts, one after the other. The farm's rules: three processes for each user.
ulimit -u 3

draw_layers() {
    awk -v part="$1" 'BEGIN { for (layer = 0; layer < 300000; layer++) ink = (ink * 31 + layer) % 65521; exit ink < 0 }'
}

for part in 1 2 3; do
    draw_layers $part
done
