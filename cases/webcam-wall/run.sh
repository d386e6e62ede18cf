mount --bind "$CASE/resolv.conf" /etc/resolv.conf && exec node "$CASE/wall.mjs"
