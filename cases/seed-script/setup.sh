#!/bin/bash
# Sets up the seed bank: the planner makes the commands, bash does them.
set -eu
"$PYTHON" "$CASE/make-statements.py" | bash
