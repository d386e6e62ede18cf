#!/usr/bin/perl
# Adds up what the kitchens of a hotel take from the pantry, and compares it with the stock file.
use strict;
use warnings;
use Storable qw(lock_retrieve);
use Time::HiRes qw(time);

my $file = shift // 'stock.sto';
my $waited = 0;

sub stock {
    my $t = time;
    my $stock = lock_retrieve($file);
    $waited += time - $t;
    return $stock;
}

sub taken_today {
    my ($round) = @_;
    my %taken;
    for my $i (0 .. 20_000) {
        $taken{'item' . ($i * 7 + $round) % 400} += $i % 3;
    }
    return \%taken;
}

sub missing {
    my ($stock, $taken) = @_;
    return grep { ($stock->{$_} // 0) < $taken->{$_} } sort keys %$taken;
}

my $begin = time;
my ($rounds, $missing) = (0, 0);
while (time < $begin + 2) {
    my @m = missing(stock(), taken_today($rounds++));
    $missing += @m;
}
print "$rounds rounds, $missing items missing\n";
open my $out, '>', 'truth' or die;
printf $out "share %.3f\n", $waited / (time - $begin + 0.02);
