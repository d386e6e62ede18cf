#!/bin/sh
# Takes the pages of a manuscript under version control.
export GIT_CONFIG_GLOBAL="$CASE/gitconfig" GIT_CONFIG_NOSYSTEM=1
git add pages
git commit -q -m "Pages as transcribed"
