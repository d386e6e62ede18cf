#!/bin/sh
# Asks where a parcel is.
curl -s --retry 3 --retry-delay 1 -o answer.txt -w 'last_answer %{time_total}\n' "http://127.0.0.1:$(cat port)/parcel/4711" > truth
