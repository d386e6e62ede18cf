# Uploads one package, and notes when.
set -e
read -r port < port
"$CASE_BIN/push_package" "$port" "$1"
echo "$1" >> published
