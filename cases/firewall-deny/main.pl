#!/usr/bin/perl
# Counts the denied connections in a firewall's log, by user and address.
use strict;
use warnings;
use Time::HiRes 'time';

sub log_lines {
    my @lines;
    for my $i (1 .. 300) {
        my $line = "fw$i kernel: IN=eth0 OUT=eth1 user=u" . $i % 17 . " src=10.0." . $i % 250 . ".4";
        $line .= " opt$_=" . ($_ * $i) % 97 for 1 .. 12;
        $line .= $i % 20 ? " action=accept code=0" : " action=deny code=" . $i % 9;
        push @lines, $line;
    }
    return @lines;
}

sub denied {
    my ($line) = @_;
    return $line =~ /user=(.*) src=(.*) .*=(.*) .*=(.*) action=(\w+) code=([1-9])/ ? ($1, $2) : ();
}

sub count_denied {
    my ($table, @lines) = @_;
    for my $line (@lines) {
        my ($user, $source) = denied($line) or next;
        $table->{"$user $source"}++;
    }
}

my %table;
my @lines = log_lines();
my $start = time;
my $rounds = 0;
while (time - $start < 2) {
    count_denied(\%table, @lines);
    $rounds++;
}
printf "%d rounds, %d pairs\n", $rounds, scalar keys %table;
