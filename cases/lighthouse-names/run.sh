#!/bin/sh
# Gives the program a resolv.conf of its own; nothing outside sees it.
mount --bind "$CASE/resolv.conf" /etc/resolv.conf
mount --bind "$CASE/nsswitch.conf" /etc/nsswitch.conf
exec "$CASE_BIN/lighthouse-names"
