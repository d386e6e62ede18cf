#!/usr/bin/perl
# Looks for a good plan of crews and flights by exchanging pairs; writes it when nothing has become better for long.
use strict;
use warnings;

sub cost_of {
    my ($plan) = @_;
    my $cost = 0;
    for my $i (1 .. $#$plan) {
        $cost += abs($plan->[$i] * 7 % 101 - $plan->[$i - 1] * 3 % 89);
    }
    return $cost;
}

sub improve {
    my ($plan, $rounds) = @_;
    my $best = cost_of($plan);
    for (1 .. $rounds) {
        my ($a, $b) = (int rand @$plan, int rand @$plan);
        @$plan[$a, $b] = @$plan[$b, $a];
        my $cost = cost_of($plan);
        if ($cost <= $best) { $best = $cost } else { @$plan[$a, $b] = @$plan[$b, $a] }
    }
    return $best;
}

srand 5;
my @plan = map { int rand 1000 } 1 .. 400;
my $cost = improve(\@plan, 400_000);
open my $out, '>', $ARGV[0] or die "solver: $!";
print $out "cost $cost\n@plan\n";
close $out;
