#!/usr/bin/perl
# Interprets thrown stones, one line for each throw.
use strict;
use warnings;

my @words = ('patience', 'a journey', 'good bread', 'rain', 'a letter', 'an old friend', 'rest');
while (my $line = <STDIN>) {
    my ($sign, @stones) = split ' ', $line;
    print join(', then ', map { $words[$_] } @stones), "\n";
}
