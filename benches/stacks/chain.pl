# The chains of chain.c in Perl: sorting with a callback, hashes, regular expressions.
use strict;
use warnings;
use Time::HiRes qw(time usleep);

sub compute {
    my ($seed) = @_;
    my @numbers = sort { ($a * 7919 + $seed) % 701 <=> ($b * 7919 + $seed) % 701 } 0 .. 700;
    my %names = map { $_ => "name $_" } @numbers;
    my $text = join ",", map { "$_=$names{$_}" } sort keys %names;
    $text =~ s/([0-9]+)/length($1)/ge;
    return length $text;
}
sub wait_a_little { usleep(700); return }
sub bottom_0 { compute(0); wait_a_little(); return }
sub bottom_1 { compute(1); wait_a_little(); return }
sub bottom_2 { compute(2); wait_a_little(); return }
sub bottom_3 { compute(3); wait_a_little(); return }
sub bottom_4 { compute(4); wait_a_little(); return }
sub bottom_5 { compute(5); wait_a_little(); return }
sub bottom_6 { compute(6); wait_a_little(); return }
sub bottom_7 { compute(7); wait_a_little(); return }
my @bottoms = (\&bottom_0, \&bottom_1, \&bottom_2, \&bottom_3, \&bottom_4, \&bottom_5, \&bottom_6, \&bottom_7);
sub turn_8 { my ($n) = @_; $bottoms[$n]->(); return }
sub left_7 { my ($n) = @_; turn_8($n); return }
sub right_7 { my ($n) = @_; turn_8($n); return }
sub left_6 { my ($n) = @_; if ($n >> (7 % 3) & 1) { right_7($n) } else { left_7($n) } return }
sub right_6 { my ($n) = @_; if ($n >> (7 % 3) & 1) { right_7($n) } else { left_7($n) } return }
sub left_5 { my ($n) = @_; if ($n >> (6 % 3) & 1) { right_6($n) } else { left_6($n) } return }
sub right_5 { my ($n) = @_; if ($n >> (6 % 3) & 1) { right_6($n) } else { left_6($n) } return }
sub left_4 { my ($n) = @_; if ($n >> (5 % 3) & 1) { right_5($n) } else { left_5($n) } return }
sub right_4 { my ($n) = @_; if ($n >> (5 % 3) & 1) { right_5($n) } else { left_5($n) } return }
sub left_3 { my ($n) = @_; if ($n >> (4 % 3) & 1) { right_4($n) } else { left_4($n) } return }
sub right_3 { my ($n) = @_; if ($n >> (4 % 3) & 1) { right_4($n) } else { left_4($n) } return }
sub left_2 { my ($n) = @_; if ($n >> (3 % 3) & 1) { right_3($n) } else { left_3($n) } return }
sub right_2 { my ($n) = @_; if ($n >> (3 % 3) & 1) { right_3($n) } else { left_3($n) } return }
sub left_1 { my ($n) = @_; if ($n >> (2 % 3) & 1) { right_2($n) } else { left_2($n) } return }
sub right_1 { my ($n) = @_; if ($n >> (2 % 3) & 1) { right_2($n) } else { left_2($n) } return }
sub left_0 { my ($n) = @_; if ($n >> (1 % 3) & 1) { right_1($n) } else { left_1($n) } return }
sub right_0 { my ($n) = @_; if ($n >> (1 % 3) & 1) { right_1($n) } else { left_1($n) } return }
sub work {
    my ($until) = @_;
    for (my $n = 0; time < $until; $n++) {
        if ($n & 1) { right_0($n % 8) } else { left_0($n % 8) }
    }
    return;
}
work(time + ($ARGV[0] // 1));
