#!/bin/sh
mkdir -p tokens
i=0
while [ $i -lt 1500 ]; do
    head -c 700 /dev/urandom > tokens/session-$i.token
    i=$(( i + 1 ))
done
sync tokens
