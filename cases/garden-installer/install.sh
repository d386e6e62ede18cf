#!/bin/bash
# Installs packages: unpack, note the files, run the triggers.
set -eu

run_triggers() {
    sh "$CASE/update-word-index"
}

install_package() {
    local name=$1
    tar -C root -xzf "pool/$name.tgz"
    tar -tzf "pool/$name.tgz" > "root/$name.list"
    run_triggers
}

end=$(( $(date +%s%N) + 1900000000 ))
for name in rake hoe spade seed soil pot hose lamp bench fence gate path pond shed; do
    [ "$(date +%s%N)" -lt "$end" ] || break
    install_package "$name"
    echo "installed $name"
done
