#!/bin/bash
# Deploys a service to this machine: unpacks it, installs what it needs, writes its settings, and checks the result.
set -eu

python=$1
installer=$2

now() { date +%s.%N; }

unpack_release() {
    mkdir -p release/bin release/etc
    for n in 1 2 3 4 5; do
        echo "module $n" > "release/bin/module-$n"
    done
}

install_packages() {
    "$python" "$installer" libdates libmoney libtemplates
}

write_settings() {
    cat > release/etc/service.conf <<SETTINGS
port = 8080
workers = 4
SETTINGS
}

check_release() {
    test "$(find release -type f | wc -l)" = 6
    grep -q '^port' release/etc/service.conf
    test "$(wc -l < installed.txt)" = 3
}

start=$(now)
unpack_release
unpacked=$(now)
install_packages
installed=$(now)
write_settings
check_release
end=$(now)
echo "$start $unpacked $installed $end" |
    awk '{ all = $4 - $1; printf "unpack %.3f\ninstall %.3f\nrest %.3f\n", ($2 - $1) / all, ($3 - $2) / all, ($4 - $3) / all }' > truth
