# The calculator: answers at once, but takes 70 ms to get ready.
sleep 0.07
echo $(($1 * 31 % 17 + 3))
