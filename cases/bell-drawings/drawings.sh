rm -rf foundry drawings
mkdir drawings
n=0
while [ $n -lt ${1:-5000} ]; do
  echo "bell $n: rim $((n * 7 % 90)) cm, lip $((n % 13)) cm" > drawings/bell-$n.txt
  n=$((n + 1))
done
