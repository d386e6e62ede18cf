# Adds the third column of a table.
total=0 lines=0
while read -r line; do
    price=$(echo "$line" | cut -d, -f3)
    total=$(expr "$total" + "$price")
    lines=$((lines + 1))
done < orders.csv
echo "lines $lines
total $total" > truth
