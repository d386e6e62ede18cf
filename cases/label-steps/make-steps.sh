#!/bin/sh
# The steps of a label job are little Go programs, kept as sources.
set -eu
for step in trim number wrap border; do
    mkdir -p steps/$step
    cp "$CASE/step.go.txt" steps/$step/main.go
done
cp "$CASE/go.mod.txt" steps/go.mod
mkdir -p cache
export GOCACHE=$PWD/cache GOFLAGS=-mod=mod GO111MODULE=on GOTOOLCHAIN=local HOME=$PWD
cd steps
for step in trim number wrap border; do
    echo "a label" | go run ./$step >/dev/null
done
