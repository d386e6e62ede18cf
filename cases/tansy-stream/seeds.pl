# The measured seeds of tansy, one line each.
use strict;
use warnings;
use Time::HiRes 'time';

my $until = time + 1.9;
my ($seed, $n) = (9, 0);
while (1) {
    $seed = ($seed * 1103515245 + 12345) % 2147483648;
    my $length = 10 + $seed % 37;
    my $width = 3 + ($seed >> 9) % 11;
    printf "%d;%s;%.2f;%.2f;%.4f\n", $n, ('north', 'east', 'south', 'west')[$n % 4], $length / 10, $width / 10,
        $length * $width / 300;
    last if ++$n % 500 == 0 && time > $until;
}
