# Makes the folders of an abbey.
use strict;
use warnings;
mkdir 'scrolls' or die;
my @owners = (0, 1, 2, 8, 33, 65534);
for my $n (1 .. 900) {
    my $name = sprintf 'scrolls/scroll-%04d', $n;
    open my $scroll, '>', $name or die "$name: $!";
    print $scroll 'x' x ($n % 97);
    close $scroll;
    chown $owners[$n % @owners], -1, $name;
}
