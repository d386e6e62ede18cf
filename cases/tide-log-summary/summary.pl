#!/usr/bin/perl
# Sums up the tide logs of all ports, which are packed: one gzip for each file, read once in order.
use strict;
use warnings;
use Time::HiRes qw(time);

sub add_file {
    my ($file, $sums) = @_;
    open my $in, '-|', 'gzip', '-dc', $file or die "$file: $!";
    while (my $line = <$in>) {
        chomp $line;
        my ($port, $hour, $level) = split /;/, $line;
        my $sum = $sums->{$port} //= { n => 0, total => 0, top => -9, by_hour => [] };
        $sum->{n}++;
        $sum->{total} += $level;
        $sum->{top} = $level if $level > $sum->{top};
        $sum->{by_hour}[$hour] += $level;
    }
    close $in or die "$file: $?";
}

my %sums;
my $until = time + 1.9;
my $files = 0;
for my $file (sort glob 'logs/*.gz') {
    add_file($file, \%sums);
    $files++;
    last if time > $until;
}
open my $out, '>', 'summary.txt' or die $!;
for my $port (sort keys %sums) {
    my $s = $sums{$port};
    printf $out "%s %d %.3f %.2f %s\n", $port, $s->{n}, $s->{total} / $s->{n}, $s->{top},
        join ' ', map { sprintf '%.1f', $_ // 0 } @{ $s->{by_hour} };
}
print "$files files, ", scalar keys %sums, " ports\n";
