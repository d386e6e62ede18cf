#!/usr/bin/perl
# Keeps scans of the faces of a quarry. Each report is made by a child process, so that a bad one cannot stop the rest.
use strict;
use warnings;
use POSIX ();
use Time::HiRes qw(time);

my $start = time;
my %scans;
for my $face (1 .. 200) {
    $scans{$face} = { stone => $face % 3 ? "granite" : "slate", pixels => chr(33 + $face % 90) x 1_000_000 };
}
my $loaded = time - $start;
my ($starting, $waiting, $reports) = (0, 0, 0);

sub start_report {
    my ($number) = @_;
    my $child = fork() // die "fork: $!";
    return $child if $child;
    my $scan = $scans{$number};
    my $dark = substr($scan->{pixels}, 0, 4000) =~ tr/0-9//;
    open my $out, '>', "report.txt" or die;
    print $out "face $number: $scan->{stone}, $dark dark pixels\n";
    close $out;
    POSIX::_exit(0);
}

while (time - $start < $loaded + 1.9) {
    my $before = time;
    my $child = start_report(1 + $reports * 7919 % 200);
    $starting += time - $before;
    $before = time;
    waitpid $child, 0;
    $waiting += time - $before;
    $reports++;
}

my $all = time - $start;
open my $truth, '>', 'truth' or die;
printf $truth "fork_share %.3f\nwaiting_share %.3f\nloading_share %.3f\nreports %d\n",
    $starting / $all, $waiting / $all, $loaded / $all, $reports;
close $truth;
