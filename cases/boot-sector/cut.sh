#!/bin/sh
# Cuts the three parts of a disk's image out of it, at the places that a table tells.
head -c 5000000 /dev/urandom > image.bin
while read -r name skip count; do
    dd if=image.bin of="$name.part" bs=1 skip="$skip" count="$count" 2> /dev/null
done <<END
boot 512 800000
root 800512 1400000
home 2200512 1000000
END
cat boot.part root.part home.part | cksum > parts.sum
