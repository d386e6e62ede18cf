#!/bin/sh
# The previous run of the job, which is late: it has the lock, and computes.
exec flock cron.lock "$CASE_BIN/rotate-logs"
