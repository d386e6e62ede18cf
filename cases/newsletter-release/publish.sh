#!/bin/sh
# Puts one page into the archive: publish.sh PAGE
set -e
port=$(cat ready)
curl --silent --show-error --fail --header "Expect:" --upload-file "$1" "http://127.0.0.1:$port/$(basename "$1")" > /dev/null
echo "$1 published"
