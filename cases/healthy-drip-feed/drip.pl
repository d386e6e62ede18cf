# Waters a bed of seedlings: as many drops per second, and for as many seconds, as its arguments say.
use strict;
use warnings;
use Time::HiRes qw(time sleep);

my ($per_second, $seconds) = @ARGV;
my ($start, $drops) = (time, 0);
open(my $valve, '>', 'valve.txt') or die $!;
while ($drops < $per_second * $seconds) {
    my $due = $start + $drops / $per_second;
    my $left = $due - time;
    sleep $left if $left > 0;
    print $valve "drop $drops on seedling ", $drops % 12, "\n";
    $drops++;
}
close $valve;
