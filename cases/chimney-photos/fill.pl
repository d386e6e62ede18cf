# Makes the photos that a chimney sweep took.
use strict;
use warnings;
mkdir 'photos' or die;
for my $n (1 .. 2500) {
    my $name = sprintf 'photos/house-%05d.jpg', $n * 7919 % 100000;
    open my $photo, '>', $name or die "$name: $!";
    print $photo "jpeg $n";
    close $photo;
    utime 1700000000, 1700000000 + $n * 104729 % 1000003, $name;
}
