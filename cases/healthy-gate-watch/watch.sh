#!/bin/sh
# Shows who comes in at the gate, for two seconds.
timeout 2 tail -n 1 -F gate.txt
test $? = 124
