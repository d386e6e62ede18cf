# The harbour office: enters the boats that come in, and keeps the list to itself while it does.
use strict;
use warnings;
use Fcntl qw(:DEFAULT F_SETLKW F_WRLCK F_UNLCK SEEK_SET);
use Time::HiRes qw(sleep);

$0 = 'harbour-office';
sysopen my $list, 'moorings.dat', O_RDWR | O_CREAT or die $!;
sub lock_list { fcntl $list, F_SETLKW, pack('ssx4qqix4', $_[0], SEEK_SET, 0, 0, 0) or die $! }
lock_list(F_WRLCK);
open my $ready, '>', 'ready' or die $!;
close $ready;
for (1 .. 150) {
    sleep 0.18;                  # the skipper spells the name of his boat
    lock_list(F_UNLCK);
    sleep 0.012;
    lock_list(F_WRLCK);
}
