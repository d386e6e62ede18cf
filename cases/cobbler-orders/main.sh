#!/bin/sh
# Makes the labels for the evening's round from the shop's export.
set -eu
jq --from-file "$CASE/labels.jq" export.json > labels.json
jq --raw-output '.[] | "\(.town): \(.labels | length) labels, \(.soles) soles"' labels.json > summary
