#!/bin/bash
# Takes the pages that a wiki exported last night into the archive, and commits them.
set -e
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=Wiki GIT_AUTHOR_EMAIL=wiki@example.test
export GIT_COMMITTER_NAME=Wiki GIT_COMMITTER_EMAIL=wiki@example.test

take_in() {
	local page=$1 name=${1##*/}
	printf '%s\n' "$(<"$page")" > "archive/pages/$name"
	git -C archive add -- "pages/$name"
}

taken=0
for page in exported/*.md; do
	take_in "$page"
	taken=$((taken + 1))
	[ $SECONDS -lt 3 ] || break
done
git -C archive commit -q -m "Export of the night"
echo "taken $taken" > truth
