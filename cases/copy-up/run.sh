#!/bin/sh
# Mounts the image below an empty upper layer; nothing outside sees it.
set -e
mkdir upper work merged
mount -t overlay overlay -o lowerdir=image,upperdir=upper,workdir=work merged
exec "$1" "$CASE/main.py"
