#!/usr/bin/perl
# Counts the entries of all books of a parish; each book has a module that knows how it was kept.
use strict;
use warnings;
use Time::HiRes 'time';

push @INC, map { "lib/$_" } reverse 1620 .. 2020;
push @INC, 'lib/common';
my ($loading, $entries) = (0, 0);

sub load_book {
    my ($number) = @_;
    my $before = time;
    require "Parish/Book$number.pm";
    $loading += time - $before;
}

my $start = time;
for my $number (0 .. 2399) {
    load_book($number);
    $entries += "Parish::Book$number"->entries;
}
open my $truth, '>', 'truth' or die;
printf $truth "loading %.3f\nentries %d\n", $loading / (time - $start), $entries;
