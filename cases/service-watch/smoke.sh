#!/bin/bash
# Waits until the shop says that it is ready, then checks its log.
set -u

wait_ready() {
    tail -n +1 -F shop.log 2>/dev/null | sed -u 's/^/shop: /' | grep -q -m1 'ready for orders'
}

check_log() {
    grep -c . shop.log
}

touch go
wait_ready
check_log
