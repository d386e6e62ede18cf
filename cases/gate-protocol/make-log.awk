# A protocol of the gates of a lock for one day.
BEGIN {
    srand(5)
    for (i = 0; i < 60000; i++)
        printf "%02d:%02d:%02d gate-%d %s level=%d cm\n", i / 3600 % 24, i / 60 % 60, i % 60, i % 7, (i % 11 ? "open" : "closed"), 200 + int(rand() * 90)
}
