# Notes blood samples in the list of a laboratory, so that none is lost when the power fails.
use strict;
use warnings;
use IO::Handle;
use Time::HiRes qw(time);

my $syncing = 0;

sub note_sample {
    my ($list, $sample) = @_;
    print $list "sample $sample, tube ", $sample % 24, ", ok\n";
    $list->flush;
    my $before = time;
    $list->sync;
    $syncing += time - $before;
}

open(my $list, '>', 'samples.txt') or die $!;
my ($start, $samples) = (time, 0);
while (time < $start + 2) {
    note_sample($list, $samples++);
}
close $list;
open(my $truth, '>', 'truth') or die $!;
printf $truth "share %.3f\nsamples %d\n", $syncing / (time - $start), $samples;
