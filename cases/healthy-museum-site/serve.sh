#!/bin/sh
# Serves the museum's page for two seconds.
timeout -s INT 2 php -S 127.0.0.1:18473 -t "$CASE" "$CASE/index.php"
true
