#!/usr/bin/perl
# Prints the labels of a warehouse's shelves: a frame of stars with the article, its shelf and its stock.
use strict;
use warnings;
use Time::HiRes 'time';

my $width = 32;

sub line_of {
    my ($text) = @_;
    print '* ';
    print $text;
    print ' ' x ($width - 4 - length $text);
    print " *\n";
}

sub label {
    my ($number) = @_;
    print '*' x $width, "\n";
    line_of("Article $number");
    line_of(sprintf 'Shelf %d, bay %d', $number % 61, $number * 7 % 13);
    line_of(sprintf '%d in stock', $number * 7919 % 400);
    print '*' x $width, "\n";
}

# Nothing is lost if the printer jams.
$| = 1;
my $start = time;
my $labels = 0;
while (time - $start < 2) {
    label($labels++);
}
my ($user, $system) = times;
open my $truth, '>', 'truth' or die;
printf $truth "labels %d\nsystem %.3f\n", $labels, $system / (time - $start);
