#!/bin/bash
# Starts the site as on a developer's desk, and looks at four of its pages.
set -eu
port=18481
php -q -S 127.0.0.1:$port "$CASE/index.php" >/dev/null 2>&1 &
site=$!
trap 'kill $site; wait $site 2>/dev/null || true' EXIT
until curl -sf -o /dev/null "http://127.0.0.1:$port/api/latest"; do sleep 0.02; done
for page in home visit rooms prices; do
    curl -sf "http://127.0.0.1:$port/$page" | wc -c
done
