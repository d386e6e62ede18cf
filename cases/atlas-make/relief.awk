# Draws the relief of a map: heights from a sum of waves.
function height(x, y,   n, sum) {
	for (n = 1; n <= 8; n++)
		sum += sin(x * n * 0.013 + length(name)) * cos(y * n * 0.017) / n
	return sum
}

BEGIN {
	for (y = 0; y < 390; y++) {
		row = ""
		for (x = 0; x < 380; x++)
			row = row substr(" .:-=+*#%@", int((height(x, y) + 3) * 1.6) + 1, 1)
		print row
	}
}
