#!/bin/sh
# @ABOUT@: the experiment of
#     whyslow lab @COMMAND@
# as one script, for a machine without Whyslow. Any POSIX shell runs it: sh @CASE@.sh [DIRECTORY [WORKER]]
#
# It makes DIRECTORY if it is missing, touches only files that it made, and removes them at the end.
# For several processes at once start it with WORKER 0, 1, 2 ... at the same time, all with one DIRECTORY.
#
# A shell has no clock but the program date, whose start takes about a millisecond. So one line of the log is
# the mean of EVERY operations between two readings. Where the shell runs a program for an operation@SLOW@,
# its start is in the duration, too. A C program (--as c) measures every single operation.
#
# It writes @CASE@.csv (of worker 1: @CASE@-1.csv) to the current directory.
# Take that file to a machine with Whyslow: whyslow lab law @CASE@.csv
directory=${1:-@DIR@}
worker=${2:-0}
count=@COUNT@      # operations
budget=@BUDGET@     # seconds, then a series ends
EVERY=${EVERY:-@EVERY@} # operations between two readings of the clock
@if create rename stat open list
prefill=@PREFILL@    # files that are made before, not timed
@end
@if stat open list
step=@STEP@       # files that are made between, not timed, each time the directory grows
@end
@if write
size=@SIZE@        # bytes of a file
@end

set -C # a file that is there already is an error
LC_ALL=C
trap 'stopped=yes' INT
stopped= files=0 made=0

# Microseconds since the start, and whole seconds: some shells count to 2^31 only. Where date knows no nanoseconds
# (not GNU), whole seconds must do: set EVERY high.
now() {
    now=$(date +%s%N)
    case $now in *N) now=${now%N}000000000 ;; esac
    seconds=${now%?????????}
    now=${now#"$seconds"}
    now=1${now%???} # no leading zeros
    seconds=$((seconds - begin))
    now=$((seconds * 1000000 + now - 1000000))
}
begin=$(date +%s)

# The mean of $2 operations that took $1 microseconds, with three decimals.
mean_of() {
    rest=$(($1 % $2 * 1000 / $2 + 1000))
    mean=$(($1 / $2)).${rest#1}
}

# The name of a file in $name; $1 is w, or r for renamed ones, $2 the number.
name_of() { # 100000000 + number has leading zeros after its first digit
    name=$((1000000000 + $2))
    name=$directory/$1${name#1}-$suffix
}
suffix_of() { suffix=$((1000 + $1)) && suffix=${suffix#1}; }
suffix_of "$worker"

@if create
# One operation: create a file and close it. n: files in the directory.
operation() { name_of w "$1" && : > "$name" && files=$((files + 1)); }
size() { n=$files; }
# The second series: delete the files in the order in which they were made. n: deleted files.
deletion() { name_of w "$1" && rm "$name"; }
deleted() { n=$1; }
@end
@if rename
# One operation: create a file, close it, rename it. n: files in the directory.
operation() {
    name_of w "$1" && : > "$name" && old=$name && name_of r "$1" && mv "$old" "$name" && files=$((files + 1))
}
size() { n=$files; }
@end
@if stat open list
# Not timed: as many more files as a step has.
grow() {
    more=0
    while [ $more -lt $step ]; do
        name_of w $made && : > "$name" || return
        more=$((more + 1)) made=$((made + 1)) files=$((files + 1))
    done
}
size() { n=$files; }
@end
@if stat
# One operation: read the status of a file. n: files in the directory.
operation() { name_of w $(($1 * 7919 % made)) && [ -e "$name" ]; }
@end
@if open
# One operation: open a file and close it. n: files in the directory.
operation() { name_of w $(($1 * 7919 % made)) && : < "$name"; }
@end
@if list
# One operation: list the directory. n: files in the directory.
operation() { ls -f "$directory" > /dev/null; }
@end
@if reopen
# One operation: open the file of settings, read one of them, close it. n: settings read.
settings=$directory/settings-$suffix.ini
operation() { read -r line < "$settings"; }
size() { n=$1; }
@end
@if write
# One operation: write a file of $size bytes and close it. n: files written.
operation() { name_of w "$1" && printf '%*s' $size '' > "$name"; }
size() { n=$1; }
@end

# Times operations and writes the log: series NAME COUNT PREPARE OPERATION SIZE; $at says how many succeeded.
series() {
    log=$1.csv at=0
    [ "$worker" -eq 0 ] || log=$1-$worker.csv
    rm -f "$log"
    echo n,duration_us > "$log"
    now
    end=$((seconds + budget))
    while [ $at -lt "$2" ] && [ $seconds -lt $end ] && [ -z "$stopped" ]; do
        "$3" || break
        block=$EVERY
        [ $((at + block)) -le "$2" ] || block=$(($2 - at))
        last=$((at + block))
        now
        start=$now
        while [ $at -lt $last ] && "$4" $at; do at=$((at + 1)); done
        now
        done_now=$((block - last + at))
        if [ $done_now -gt 0 ]; then
            "$5" $at
            mean_of $((now - start)) $done_now
            echo "$n,$mean" >> "$log"
        fi
        [ $at -eq $last ] || break
    done
    echo "$1: $at of $2 operations, in $log"
}

mkdir -p "$directory" || exit
@if create stat open list
kind=w
@end
@if rename
kind=r
@end
@if create rename stat open list
suffix_of $((worker + 500))
while [ $files -lt $prefill ] && [ -z "$stopped" ]; do
    name_of $kind $files && : > "$name" || exit
    files=$((files + 1))
done
before=$files
suffix_of "$worker"
@end
@if create
series create $count true operation size
series delete $at true deletion deleted
@end
@if rename
series rename $count true operation size
@end
@if stat open
series @CASE@ $count grow operation size
@end
@if list
EVERY=1
series list $((count / step)) grow operation size
@end
@if reopen
rm -f "$settings"
at=0
while [ $at -lt $count ]; do
    echo "setting$at=value of setting $at"
    at=$((at + 1))
done > "$settings"
series reopen $count true operation size
@end
@if write
series write $count true operation size
@end

# What is left of its own files.
@if create rename stat open list write
find "$directory" -type f \( -name "[wr]?????????-$suffix" -o -name "[wr]?????????-$((worker + 500))" \) -exec rm -f {} +
@end
@if reopen
rm -f "$settings"
@end
rmdir "$directory" 2> /dev/null # it stays if others have files there
exit 0
