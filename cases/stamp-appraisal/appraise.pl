# Appraises stamps: the catalogue is in memory, and each stamp is looked at by a child of its own.
use strict;
use warnings;
use POSIX ();
use Time::HiRes qw(time);

sub load_catalogue {
    my @catalogue = map { { year => 1840 + $_ % 180, cents => $_ * 7 % 5000 } } 1 .. 500000;
    return \@catalogue;
}

my $forking = 0;

sub appraise {
    my ($catalogue, $stamp) = @_;
    my $before = time;
    my $child = fork;
    die $! unless defined $child;
    POSIX::_exit($catalogue->[$stamp]{cents} % 100) if $child == 0;
    $forking += time - $before;
    waitpid($child, 0);
    return $? >> 8;
}

my $loading = time;
my $catalogue = load_catalogue();
my ($start, $stamps, $worth) = (time, 0, 0);
while (time < $start + 2.2) {
    $worth += appraise($catalogue, $stamps * 61 % 500000);
    $stamps++;
}
open(my $truth, '>', 'truth') or die $!;
printf $truth "forking %.3f\nstamps %d\nworth %d\nloading %.3f\n", $forking / (time - $start), $stamps, $worth, $start - $loading;
