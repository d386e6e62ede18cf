awk 'BEGIN { for (n = 0; n < 2000000; n++) printf "%07d %d\n", n * 7919 % 2000003, n % 613 > "north.txt"
             for (n = 0; n < 2000000; n++) printf "%07d %d\n", n * 6271 % 2000003, n % 557 > "south.txt" }'
