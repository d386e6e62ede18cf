BEGIN {
    srand(5)
    split("0/0 0/1 1/1 ./.", calls)
    for (row = 0; row < 100; row++) {
        line = "chr1\t" (10000 + row * 37)
        for (i = 0; i < 2500; i++) line = line "\t" calls[1 + int(rand() * 4)]
        print line
    }
}
