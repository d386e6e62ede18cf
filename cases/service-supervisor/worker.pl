#!/usr/bin/perl
# Turns the readings of a spool into hourly means. Only one worker may run at a time: it takes the worker's port.
use strict;
use warnings;
use IO::Socket::INET;
use Time::HiRes qw(time);

my $socket = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => 47913, Listen => 1, ReuseAddr => 1) or do {
    print STDERR "worker: port 47913 is taken\n";
    exit 75;
};
my ($end, %sum) = (time + 0.4);
for (my $i = 0; time < $end; $i++) { $sum{$i % 24} += sin($i / 900) * 4 + 18 }
printf "hour %2d: %.1f\n", $_, $sum{$_} for sort { $a <=> $b } keys %sum;
