# The next signal box: whenever a train has gone, which takes 200 ms, it tells the box before by SIGUSR1.
use strict;
use warnings;
use Time::HiRes qw(sleep);

open(my $ready, '>', 'ready') or die $!;
close $ready;
sleep 0.01 until -s 'box.pid';
open(my $file, '<', 'box.pid') or die $!;
my $box = <$file>;
while (kill 0, $box) {
    sleep 0.2;
    kill 'USR1', $box;
}
sleep 1 while 1;
