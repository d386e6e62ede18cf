#!/usr/bin/perl
# Opens the workbook of a counting house: each unit that a sheet names is a module, if the house has one for it.
use strict;
use warnings;
use FindBin;
use Time::HiRes qw(time);

my $start = time;
my @add_ons = map { "add-ons/house-$_/lib" } 1 .. 120;
my ($looking, $sheets, $known) = (0, 0, 0);

sub make_add_ons {
    mkdir 'add-ons';
    for my $folder (@add_ons) {
        my ($house) = $folder =~ m{(.*)/lib};
        mkdir $house;
        mkdir $folder;
    }
    open my $out, '>', "$add_ons[-1]/Dozen.pm" or die;
    print $out "package Dozen;\nsub size { 12 }\n1;\n";
    close $out;
}

sub load_unit {
    my ($unit) = @_;
    return eval { require "$unit.pm"; 1 } ? $unit->size : 1;
}

sub total {
    my ($sheet) = @_;
    my $sum = 0;
    for my $line (@$sheet) {
        my ($count, $unit) = @$line;
        my $before = time;
        my $size = load_unit($unit);
        $looking += time - $before;
        $known++ if $size > 1;
        $sum += $count * $size;
    }
    return $sum;
}

make_add_ons();
unshift @INC, @add_ons;
my $sum = 0;
while (time - $start < 2) {
    my @sheet = map { [ $_ * 7 % 50, ('Dozen', 'Bushel', 'Firkin', 'Gross', 'Piece')[$_ % 5] ] } 1 .. 40;
    $sum += total(\@sheet);
    $sheets++;
}

open my $truth, '>', 'truth' or die;
printf $truth "share %.3f\nsheets %d\nknown %d\nsum %d\n", $looking / (time - $start), $sheets, $known, $sum;
close $truth;
