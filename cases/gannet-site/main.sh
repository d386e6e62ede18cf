#!/bin/sh
# Serves the site for two seconds, as in the smoke test of a release.
timeout --signal INT 2 php -S "127.0.0.1:$(cat port)" -t "$CASE/site" 2> site.log
grep -q 'north%20stack' site.log
