# Removes the previews that are older than a month.
now() { date +%s%N; }

pause() {
    local before
    before=$(now)
    sleep 0.08
    paused=$((paused + $(now) - before))
}

for number in {100..119}; do
    echo "preview $number" > "preview-$number.png"
    touch -d '40 days ago' "preview-$number.png"
done
paused=0
start=$(now)
limit=$((${EPOCHSECONDS} - 30 * 86400))
for preview in preview-*.png; do
    if [ "$(stat -c %Y "$preview")" -lt $limit ]; then
        rm "$preview"
        pause
    fi
done
wall=$(($(now) - start))
printf 'paused %s.%03d\n' $((paused / wall)) $((paused * 1000 / wall % 1000)) > truth
