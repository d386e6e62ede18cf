# Keeps a ship's logbook, in which the newest entry comes first.
use strict;
use warnings;
use Tie::File;
use Time::HiRes qw(time);

my $writing = 0;

sub add_entry {
    my ($log, $text) = @_;
    my $before = time;
    unshift @$log, $text;
    $writing += time - $before;
}

sub entry_of_day {
    my ($day) = @_;
    return sprintf 'day %d: wind %d, course %d, %s', $day, $day * 7 % 12, $day * 31 % 360, $day % 9 ? 'all well' : 'fog';
}

my $start = time;
tie my @log, 'Tie::File', 'logbook.txt' or die "logbook.txt: $!";
my $day = 60000;
while (time - $start < 2) {
    add_entry(\@log, entry_of_day(++$day));
}
my $newest = $log[0];
untie @log;
my $wall = time - $start;
open my $truth, '>', 'truth' or die "truth: $!";
printf $truth "writing %.3f\nentries %d\nnewest %s\n", $writing / $wall, $day - 60000, $newest;
close $truth;
