# Merges the deliveries of two mills, by farm: two sorts at the same time, then join and a sum.
sort -k1,1 north.txt > north.sorted &
sort -k1,1 south.txt > south.sorted
wait
join north.sorted south.sorted | awk '{ sum[$1 % 10] += $2 + $3 } END { for (n in sum) print n, sum[n] }' | sort -n
