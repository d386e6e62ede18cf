use strict;
use warnings;
mkdir 'logs';
for my $n (0 .. 19) {
    my $name = sprintf 'logs/tide-%02d.gz', $n;
    open my $out, '|-', "gzip -1 > $name" or die $!;
    print $out map { sprintf "port-%d;%d;%.2f\n", $_ * 13 % 70, $_ % 24, 2 + 2 * sin($_ / (30 + $n)) } 1 .. 200_000;
    close $out;
}
