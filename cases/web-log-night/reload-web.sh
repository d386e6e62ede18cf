#!/bin/sh
# Tells the web server to open its logs again, and gives the workers time to do so.
date +%s >> "$1"
sleep 0.14
