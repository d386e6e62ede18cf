#!/usr/bin/perl
# The door of a museum: asks visitors where they come from, and writes each into the book.
use strict;
use warnings;
use Fcntl ':flock';
use Time::HiRes 'time';

my ($waited, $visitors) = (0, 0);

sub town_of {
    my ($visitor) = @_;
    my $town = $visitor;
    $town = ($town * 48271 + $_) % 65521 for 1 .. 20_000;
    return "town-" . $town % 700;
}

sub enter {
    my ($visitor) = @_;
    open my $book, '>>', 'book.csv' or die;
    my $before = time;
    flock $book, LOCK_EX or die;
    $waited += time - $before;
    print $book town_of($visitor), ";$visitor\n";
    close $book;
    $visitors++;
}

my $start = time;
while (time - $start < 2) {
    # A group of people.
    enter($visitors) for 1 .. 4;
    select undef, undef, undef, 0.04;
}
open my $truth, '>', 'truth' or die;
printf $truth "share %.3f\nvisitors %d\n", $waited / (time - $start), $visitors;
