# Sums the seeds up by the side of the meadow.
BEGIN { FS = ";" }
{
    seeds[$2]++
    area[$2] += $3 * $4 + $5
    shape = sprintf("%.1f/%.1f", $3, $4)
    if (!(shape in shapes)) shapes[shape] = 0
    shapes[shape]++
    size = log(1 + $3) * sqrt($4) + sin($5) + length(shape)
    if (size > largest[$2]) largest[$2] = size
}
END {
    for (side in seeds) printf "%s %d %.2f %.3f\n", side, seeds[side], area[side] / seeds[side], largest[side]
}
