hostname reminders-7c9f && mount --bind "$CASE/resolv.conf" /etc/resolv.conf && exec "$1" "$CASE/reminders.py"
