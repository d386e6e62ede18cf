#!/usr/bin/perl
# Quotes the haulage of goods between towns from a table of distances.
use strict;
use warnings;
use Time::HiRes qw(time);

sub load_distances {
    my %distance;
    for my $from (0 .. 89) {
        for my $to (0 .. 89) {
            $distance{"town$from-town$to"} = abs($from - $to) * 11 + ($from * $to) % 37;
        }
    }
    return %distance;
}

sub distance_between {
    my ($from, $to, %distance) = @_;
    return $distance{"$from-$to"} // 0;
}

sub quote {
    my ($order, %distance) = @_;
    my $way = distance_between($order->{from}, $order->{to}, %distance);
    return 12 + $way * 0.9 + $order->{tons} * 4;
}

my %distance = load_distances();
my ($quotes, $sum, $end) = (0, 0, time + 2);
while (time < $end) {
    my $order = { from => 'town' . $quotes % 90, to => 'town' . $quotes * 7 % 90, tons => 1 + $quotes % 20 };
    $sum += quote($order, %distance);
    $quotes++;
}
printf "%d quotes, %.2f on average\n", $quotes, $sum / $quotes;
