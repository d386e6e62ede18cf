#!/bin/sh
# Gives the program a network of its own, in which 192.0.2.0/24 lies behind an interface that nobody serves.
set -e
ip tuntap add dev gone mode tun
ip address add 192.0.2.1/24 dev gone
ip link set gone up
exec "$@" "$CASE/main.py"
