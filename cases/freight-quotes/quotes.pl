#!/usr/bin/perl
# Prices the loads of a haulier. The way between two depots is computed once, and remembered (Memoize).
use strict;
use warnings;
use Memoize;
use Time::HiRes qw(time);

my %roads;

sub build_roads {
    srand(7);
    for my $depot (0 .. 149) {
        for (1 .. 5) {
            my $other = int rand 150;
            $roads{$depot}{$other} = $roads{$other}{$depot} = 10 + int rand 90;
        }
    }
}

sub distance {
    my ($leg) = @_;
    my %best = ($leg->{from} => 0);
    my %done;
    while (1) {
        my ($nearest) = sort { $best{$a} <=> $best{$b} } grep { !$done{$_} } keys %best;
        last unless defined $nearest;
        return $best{$nearest} if $nearest == $leg->{to};
        $done{$nearest} = 1;
        for my $next (keys %{ $roads{$nearest} }) {
            my $length = $best{$nearest} + $roads{$nearest}{$next};
            $best{$next} = $length if !defined $best{$next} || $length < $best{$next};
        }
    }
    return undef;
}
memoize('distance');

sub quote {
    my ($load) = @_;
    my $total = 40;
    for my $leg (@{ $load->{legs} }) {
        my $km = distance($leg);
        $total += $km * 0.9 * $load->{tons} if defined $km;
    }
    return $total;
}

build_roads();
my ($quotes, $sum, @loads) = (0, 0);
my $until = time + 2;
while (time < $until) {
    my @stops = map { ($quotes * 3 + $_ * 5) % 12 } 1 .. 4;
    my @legs = map { { from => $stops[$_], to => $stops[ $_ + 1 ] } } 0 .. 2;
    push @loads, { tons => 1 + $quotes % 9, legs => \@legs };
    $sum += quote($loads[-1]);
    $quotes++;
}
printf "%d quotes, %.0f on average\n", $quotes, $sum / $quotes;
