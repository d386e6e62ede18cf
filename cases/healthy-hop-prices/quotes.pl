#!/usr/bin/perl
# Writes the quotes of a hop exchange, day by day, a block at a time.
use strict;
use warnings;
use Time::HiRes qw(time);

my $until = time + $ARGV[0];
my $state = 12345;
my $day = 0;
while (time < $until) {
    my $block = '';
    for (1 .. 4000) {
        $state = ($state * 1103515245 + 12345) % 2147483648;
        $block .= sprintf "%d hop%d %.2f\n", $day, $state % 17, 4 + ($state >> 8) % 900 / 100;
    }
    $day++;
    print $block;
}
