#!/bin/bash
# Runs the solver of a crew plan with a limit of CPU time, and starts it again if it dies.
set -u

solve() {
    ( ulimit -t 1; exec perl "$CASE/solver.pl" plan.txt )
}

attempt=1
until solve; do
    echo "attempt $attempt failed" >> supervise.log
    attempt=$(( attempt + 1 ))
    if (( attempt > 2 )); then
        echo "no plan after $(( attempt - 1 )) attempts"
        break
    fi
done
