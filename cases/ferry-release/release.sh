#!/bin/bash
# Installs a new release of the ferry's ticket services: stop, swap the files, start again.
services="tickets timetable"
version=${1:-42}

stop_service() {
    local pid
    pid=$(cat run/$1.pid)
    kill -TERM "$pid" 2>/dev/null || return 0
    local tries=0
    while kill -0 "$pid" 2>/dev/null && [ -e "/proc/$pid/exe" ]; do
        if [ $tries -ge 9 ]; then
            echo "$1 does not stop, killing it"
            kill -KILL "$pid"
            break
        fi
        sleep 0.1
        tries=$((tries + 1))
    done
    rm -f run/$1.pid
}

install_files() {
    mkdir -p release/$1
    tar -xzf packages/$1.tar.gz -C release/$1
    (cd release/$1 && sha256sum --quiet -c SUMS)
    ln -sfn "$1" release/current-$1
}

start_service() {
    sh "$CASE/service.sh" "$1" >/dev/null 2>&1 &
    echo $! > run/$1.pid
}

mkdir -p run release
for s in $services; do start_service $s; done
sleep 0.05
t0=$EPOCHREALTIME
waited=0
for s in $services; do
    a=$EPOCHREALTIME
    stop_service $s
    b=$EPOCHREALTIME
    waited=$(awk "BEGIN { print $waited + $b - $a }")
    install_files $s
    start_service $s
done
for s in $services; do kill -KILL "$(cat run/$s.pid)"; done
awk "BEGIN { printf \"waited_for_stop %.3f\nall %.3f\n\", $waited, $EPOCHREALTIME - $t0 }" > measured
echo "release $version is installed"
