BEGIN {
    srand(7)
    split("ACCEPT DROP REJECT", verdicts)
    split("TCP UDP ICMP", protocols)
    for (i = 0; i < 40000; i++)
        printf "Nov 28 03:%02d:%02d gw kernel: %s IN=eth0 SRC=10.%d.%d.%d DPT=%d PROTO=%s\n", i / 60 % 60, i % 60, verdicts[1 + int(rand() * 3)],
            rand() * 4, rand() * 200, rand() * 250, rand() * 9000, protocols[1 + int(rand() * 3)]
}
