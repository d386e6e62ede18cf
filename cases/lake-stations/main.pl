#!/usr/bin/perl
# Corrects the levels that a lake's stations have sent, by the formula that each station has.
use strict;
use warnings;
use IPC::Open2;
use Time::HiRes qw(time);

my $SECONDS = 2.0;

sub start_calculator {
    my $pid = open2(my $from, my $to, 'bc', '-q');
    $to->autoflush(1);
    return { pid => $pid, from => $from, to => $to };
}

sub corrected {
    my ($calculator, $level, $station) = @_;
    my $to = $calculator->{to};
    print $to "scale=4; $level*1.00$station+$station/7\n";
    my $from = $calculator->{from};
    my $value = <$from>;
    chomp $value;
    return $value;
}

sub day {
    my ($calculator, $until) = @_;
    my %sums;
    my $levels = 0;
    while (time < $until) {
        my $station = 10 + $levels % 80;
        $sums{$station} += corrected($calculator, 400 + $levels % 37, $station);
        $levels++;
    }
    return ($levels, \%sums);
}

my $calculator = start_calculator();
my ($levels, $sums) = day($calculator, time + $SECONDS);
close $calculator->{to};
waitpid $calculator->{pid}, 0;
printf "%d levels of %d stations\n", $levels, scalar keys %$sums;
