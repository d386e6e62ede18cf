#!/usr/bin/perl
# Works off the jobs of an engraver, which are the lines of a file, so that nothing is lost if the power fails.
use strict;
use warnings;
use Tie::File;
use Time::HiRes qw(time);

my $SECONDS = 2.0;

sub write_jobs {
    my ($path, $count) = @_;
    open my $out, '>', $path or die $!;
    for my $number (1 .. $count) {
        printf $out "%06d;%s;%d mm\n", $number, ('ring', 'cup', 'plate', 'spoon')[$number % 4], 20 + $number % 37;
    }
    close $out;
}

sub next_job {
    my ($jobs) = @_;
    return shift @$jobs;
}

sub engrave {
    my ($job, $done) = @_;
    my ($number, $thing, $width) = split /;/, $job;
    $done->{$thing} += $width =~ /(\d+)/ ? $1 : 0;
}

my $start = time;
write_jobs('jobs.txt', 16_000);
tie my @jobs, 'Tie::File', 'jobs.txt' or die $!;
my (%done, $count);
my $taking = 0;
while (time - $start < $SECONDS && @jobs) {
    my $before = time;
    my $job = next_job(\@jobs);
    $taking += time - $before;
    engrave($job, \%done);
    $count++;
}
untie @jobs;
printf "%d jobs: %s\n", $count, join ', ', map { "$_ $done{$_} mm" } sort keys %done;
open my $truth, '>', 'truth' or die $!;
printf $truth "share %.3f\njobs %d\n", $taking / (time - $start + 0.03), $count;
