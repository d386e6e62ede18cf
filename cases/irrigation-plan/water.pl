#!/usr/bin/perl
# Waters the beds of a nursery by plan: irrigation-plan FILE
use strict;
use warnings;
use Time::HiRes qw(time sleep);

my %valves = (north => 0, south => 0, roof => 0);
my @log;

sub read_plan {
    my ($path) = @_;
    open my $plan, '<', $path or die "$path: $!";
    my @steps;
    while (my $line = <$plan>) {
        $line =~ s/#.*//;
        next unless $line =~ /^\s*(\w+)\s+for\s+([\d.]+)\s*s/;
        die "no valve $1" unless exists $valves{$1};
        push @steps, { valve => $1, seconds => $2 };
    }
    return @steps;
}

sub set_valve {
    my ($valve, $open) = @_;
    $valves{$valve} = $open;
    push @log, sprintf '%.2f %s %s', time, $valve, $open ? 'open' : 'closed';
}

sub water_bed {
    my ($step) = @_;
    set_valve($step->{valve}, 1);
    sleep $step->{seconds};
    set_valve($step->{valve}, 0);
}

open my $plan, '>', 'plan.txt' or die $!;
print $plan "# the beds one after the other, there is little pressure\nnorth for 0.9 s\nsouth for 0.6 s\nroof for 0.7 s\n";
close $plan;

my $start = time;
my @steps = read_plan('plan.txt');
water_bed($_) for @steps;
my $planned = 0;
$planned += $_->{seconds} for @steps;
open my $out, '>', 'water.log' or die $!;
print $out "$_\n" for @log;
close $out;
open my $truth, '>', 'truth' or die $!;
printf $truth "seconds %.3f\nseconds_planned %.3f\n", time - $start, $planned;
