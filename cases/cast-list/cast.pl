#!/usr/bin/perl
# Prints who plays which role, in the order of the players' names.
use strict;
use warnings;
use Time::HiRes 'time';

my $start = time;
$ENV{LC_ALL} = 'C.UTF-8';
open my $sorted, '-|', 'sort', '--parallel=1', '-t;', '-k3,3', '-k1,1n', 'roles.csv' or die;
my $line = <$sorted>;
my $waited = time - $start;
my ($players, $last) = (0, '');
while (defined $line) {
    my $player = substr $line, rindex($line, ';') + 1;
    $players++ if $player ne $last;
    $last = $player;
    $line = <$sorted>;
}
close $sorted;
open my $truth, '>', 'truth' or die;
printf $truth "share %.3f\nplayers %d\n", $waited / (time - $start), $players;
