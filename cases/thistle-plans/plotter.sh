#!/bin/sh
# Draws the plan of one parcel; the pen needs its time.
sleep 0.14
echo "parcel $1: drawn"
