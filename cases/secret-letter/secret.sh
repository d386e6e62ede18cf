#!/bin/bash
# Shifts each letter of a text by three, as Caesar did.
shift_letter() {
    case $1 in
    x) out+=a ;; y) out+=b ;; z) out+=c ;;
    [a-w]) out+=${alphabet:alphabet_at[$1]+3:1} ;;
    *) out+=$1 ;;
    esac
}

alphabet=abcdefghijklmnopqrstuvwxyz
declare -A alphabet_at
for ((i = 0; i < 26; i++)); do alphabet_at[${alphabet:i:1}]=$i; done
text=
for ((n = 0; n < 500; n++)); do text+="müde legionen ziehen heim $n "; done
out=
length=${#text}
begin=$EPOCHREALTIME
for ((i = 0; i < length; i++)); do
    shift_letter "${text:i:1}"
    ((i == 1000)) && first=$EPOCHREALTIME
    ((i == length - 1000)) && last=$EPOCHREALTIME
done
now=$EPOCHREALTIME
echo "$out" > letter.txt
echo "first_thousand_us $((${first/[.,]/} - ${begin/[.,]/}))" > truth
echo "last_thousand_us $((${now/[.,]/} - ${last/[.,]/}))" >> truth
