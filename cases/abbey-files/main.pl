# Adds up how much each monk has written, by the owners of the files.
use strict;
use warnings;
use Time::HiRes qw(time);

my $asking = 0;

sub owner_name {
    my ($uid) = @_;
    my $before = time;
    my $name = getpwuid($uid) // $uid;
    $asking += time - $before;
    return $name;
}

sub add_up {
    my ($written, @scrolls) = @_;
    for my $scroll (@scrolls) {
        my ($uid, $size) = (stat $scroll)[4, 7];
        $written->{owner_name($uid)} += $size;
    }
}

my $start = time;
my %written;
my @scrolls = glob 'scrolls/*';
my $files = 0;
while (time - $start < 2) {
    add_up(\%written, @scrolls);
    $files += @scrolls;
}
my $wall = time - $start;
open my $truth, '>', 'truth' or die "truth: $!";
printf $truth "asking %.3f\nfiles %d\nowners %d\n", $asking / $wall, $files, scalar keys %written;
close $truth;
