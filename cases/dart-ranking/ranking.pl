# Keeps the ranking of a darts league up to date, throw by throw.
use strict;
use warnings;
use Time::HiRes qw(time);

my @ranking = map { { name => "player $_", points => $_ * 37 % 501 } } 1 .. 1500;
my $sorting = 0;

sub note_throw {
    my ($player, $points) = @_;
    $player->{points} += $points;
    my $before = time;
    @ranking = sort { $b->{points} <=> $a->{points} or $a->{name} cmp $b->{name} } @ranking;
    $sorting += time - $before;
    return $ranking[0]{name};
}

my ($start, $throws, $changes, $first) = (time, 0, 0, '');
while (time < $start + 2) {
    my $leader = note_throw($ranking[$throws * 7919 % 1500], $throws % 60);
    $changes++ if $leader ne $first;
    $first = $leader;
    $throws++;
}
open(my $truth, '>', 'truth') or die $!;
printf $truth "sorting %.3f\nthrows %d\nchanges %d\n", $sorting / (time - $start), $throws, $changes;
