#!/bin/sh
# Starts the quiz on the visitors' terminal.
line=$(cat line)
exec ruby "$CASE/main.rb" < "$line" > "$line"
