# the container's own resolv.conf
mount --bind "$CASE/resolv.conf" /etc/resolv.conf && exec java -cp . FeedDirectory
