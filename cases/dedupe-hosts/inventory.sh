#!/bin/sh
# Makes the inventory of a cluster from the records of a port scan.
set -e
jq -s -f "$1" scan.json > inventory.json
jq -r '.[] | [.host, .ip, (.ports | map(tostring) | join(","))] | @tsv' inventory.json > inventory.tsv
wc -l < inventory.tsv
