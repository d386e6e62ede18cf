# Finds the newest photos of a chimney sweep, for the page that shows what he did last.
use strict;
use warnings;
use Time::HiRes qw(time);

sub photos {
    my ($folder) = @_;
    opendir my $dir, $folder or die "$folder: $!";
    return map { "$folder/$_" } grep { /\.jpg$/ } readdir $dir;
}

sub newest_first {
    return sort { -M $a <=> -M $b } @_;
}

sub page {
    my @photos = newest_first(@_);
    return join '', map { "<img src='$_'>" } @photos[0 .. 19];
}

my $start = time;
my @photos = photos('photos');
my ($pages, $size) = (0, 0);
while (time - $start < 2) {
    $size += length page(@photos);
    $pages++;
}
open my $truth, '>', 'truth' or die "truth: $!";
printf $truth "pages %d\nphotos %d\nbytes %d\n", $pages, scalar @photos, $size;
close $truth;
