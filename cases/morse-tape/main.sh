#!/bin/bash
# Translates a long telegram into Morse signs for the tape machine.
declare -A signs=(
  [a]=.- [b]=-... [c]=-.-. [d]=-.. [e]=. [f]=..-. [g]=--. [h]=.... [i]=.. [k]=-.- [l]=.-.. [m]=-- [n]=-.
  [o]=--- [p]=.--. [r]=.-. [s]=... [t]=- [u]=..- [w]=.-- [y]=-.-- ['ö']=---.
)

compose() {
  local text="" n
  for ((n = 0; n < 900; n++)); do
    text+="arrive tomorrow with ship number $n from malmö please send cart and four horses "
  done
  printf '%s' "$text"
}

translate() {
  local text=$1 letter
  while ((n < ${#text})); do
    letter=${text:n:1}
    case $letter in
      ' ') printf '/ ' ;;
      [0-9]) printf '%s ' "$letter" ;;
      *) printf '%s ' "${signs[$letter]}" ;;
    esac
    ((n++))
    ((n % 100 == 0 && ${EPOCHREALTIME/[.,]/} > stop)) && break
  done
}

export LC_ALL=C.UTF-8
begin=${EPOCHREALTIME/[.,]/}
stop=$((begin + 2100000))
n=0
telegram=$(compose)
composed=${EPOCHREALTIME/[.,]/}
translate "$telegram" > tape.txt
end=${EPOCHREALTIME/[.,]/}
printf 'translate_share 0.%03d\nsent %d\nletters %d\n' $(((end - composed) * 1000 / (end - begin + 1))) $n ${#telegram} > truth
