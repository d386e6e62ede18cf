#!/bin/sh
# The start script of a service. It does not pass signals on.
trap 'echo "$1: asked to stop" >> service.log' TERM
while :; do
    sleep 30 &
    wait $!
done
