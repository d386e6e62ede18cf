#!/bin/bash
# Shows the load of the machine every so many seconds, so many times.
interval=${1:?interval} times=${2:?times}
for ((i = 0; i < times; i++)); do
    read -r one rest < /proc/loadavg
    echo "load $one"
    sleep "$interval"
done
