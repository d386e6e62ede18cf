mount --bind "$CASE/resolv.conf" /etc/resolv.conf
mount --bind "$CASE/nsswitch.conf" /etc/nsswitch.conf
exec python3 "$CASE/report.py"
