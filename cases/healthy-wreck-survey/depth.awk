# The mean depth of each track in a sounding file, smoothed over nine soundings.
{
	track[NR % 9] = $3
	sum = 0
	for (n = 0; n < 9; n++)
		sum += track[n]
	mean[$1] += sqrt(sum * sum / 81) + sin($2) * cos($3)
	count[$1]++
}
END {
	for (name in mean)
		printf "%s %s %.3f\n", FILENAME, name, mean[name] / count[name]
}
