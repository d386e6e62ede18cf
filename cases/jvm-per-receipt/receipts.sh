# Writes a receipt for each sale of the day.
now() { date +%s%N; }

write_receipt() {
    java -Xshare:auto -cp "$CASE_BIN" Receipt "$1" "$2" > "receipt-$1.txt"
}

start=$(now)
sales=0
while [ $(($(now) - start)) -lt 2000000000 ]; do
    write_receipt "$sales" $((sales * 731 % 9973))
    sales=$((sales + 1))
done
wall=$(($(now) - start))
own=$(cat receipt-*.txt | awk '/^took/ { sum += $2 } END { print int(sum / NR) }')
printf 'receipts %s\nms_each %s\nus_own_work %s\n' $sales $((wall / sales / 1000000)) "$own" > truth
