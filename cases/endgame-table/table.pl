#!/usr/bin/perl
# Makes a table of endgames (king and pawn against king). It has time, so it is polite to the others.
use strict;
use warnings;
use Time::HiRes qw(time);

setpriority 0, 0, 12;

sub king_distance {
    my ($from, $to) = @_;
    my $files = abs(($from & 7) - ($to & 7));
    my $ranks = abs(($from >> 3) - ($to >> 3));
    return $files > $ranks ? $files : $ranks;
}

# Whether the pawn gets to the last rank before the other king can stop it.
sub pawn_runs {
    my ($king, $pawn, $other, $white_moves) = @_;
    my $goal = 56 + ($pawn & 7);
    my $steps = 7 - ($pawn >> 3);
    $steps-- if ($pawn >> 3) == 1;
    my $chase = king_distance($other, $goal) - ($white_moves ? 0 : 1);
    return 1 if $chase > $steps;
    return king_distance($king, $goal) < king_distance($other, $goal) && king_distance($king, $pawn) <= 1;
}

sub table_for_pawn {
    my ($pawn) = @_;
    my %count = (won => 0, drawn => 0);
    for my $king (0 .. 63) {
        for my $other (0 .. 63) {
            next if $king == $other || king_distance($king, $other) < 2;
            $count{ pawn_runs($king, $pawn, $other, $_) ? 'won' : 'drawn' }++ for 0, 1;
        }
    }
    return \%count;
}

my ($won, $drawn, $squares) = (0, 0, 0);
my $start = time;
while (time - $start < 3) {
    my $count = table_for_pawn(8 + $squares++ % 48);
    $won += $count->{won};
    $drawn += $count->{drawn};
}
my $wall = time - $start;
my ($user, $system) = times;
open my $truth, '>', 'truth' or die $!;
printf $truth "squares %d\nshare_without_cpu %.3f\n", $squares, 1 - ($user + $system) / $wall;
printf "won %d, drawn %d\n", $won, $drawn;
