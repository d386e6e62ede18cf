#!/bin/bash
# What start scripts of containers do: wait until the service listens, then start the program that needs it.
port=$(cat port)
attempts=0

is_up() {
    (exec 3<> "/dev/tcp/127.0.0.1/$port") 2> /dev/null
}

wait_for_service() {
    until is_up; do
        attempts=$((attempts + 1))
        sleep 0.2
    done
}

start=$EPOCHREALTIME
wait_for_service
up=$EPOCHREALTIME
exec 3<> "/dev/tcp/127.0.0.1/$port"
echo "articles" >&3
read -r articles <&3
{
    echo "attempts $attempts"
    echo "waited $(echo "$up - $start" | bc)"
    echo "then $(echo "$EPOCHREALTIME - $up" | bc)"
    echo "$articles"
} > truth
