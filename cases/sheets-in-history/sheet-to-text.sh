#!/bin/sh
# Shows a sheet as text, for git diff.
to_text() {
    tr ';' '\t' < "$1" | sed 's/^/| /' | sort
}
to_text "$1"
