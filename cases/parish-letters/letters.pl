#!/usr/bin/perl
# Writes the letters of a parish, one line each, to its standard output.
use strict;
use warnings;
use Time::HiRes qw(time);

my $until = time + ($ARGV[0] || 2);
my $number = 0;
$SIG{PIPE} = 'DEFAULT';
while (time < $until) {
    printf "%06d;member %d;%s\n", $number, $number % 700, 'with kind regards ' x 6;
    $number++;
}
