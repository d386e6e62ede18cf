use strict;
use warnings;
use Test::More tests => 3;

# The days since the year 0 of a date, and back again, for many years.
sub days { my ($y, $m, $d) = @_; if ($m < 3) { $y--; $m += 12 } return 365 * $y + int($y / 4) - int($y / 100) + int($y / 400) + int((153 * $m - 457) / 5) + $d - 306 }
sub leap { my $y = shift; return $y % 4 == 0 && ($y % 100 != 0 || $y % 400 == 0) }

my $good = 0;
for my $y (1 .. 60000) {
    my $sum = 0;
    $sum += days($y, $_ + 1, 1) - days($y, $_, 1) for 1 .. 11;
    $good++ if $sum == (leap($y) ? 335 : 334);
}
is($good, 60000, 'easter: the length of each year');
is(days(2000, 3, 1) - days(2000, 2, 28), 2, 'a leap day');
is(days(1900, 3, 1) - days(1900, 2, 28), 1, 'no leap day');
