#!/bin/sh
# The name server lives in a network namespace of its own; the shop joins it and gets its own resolv.conf.
exec nsenter --net="/proc/$(cat ready)/ns/net" unshare --mount sh "$CASE/inside.sh"
