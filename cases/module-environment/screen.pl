#!/usr/bin/perl
# Screens unit cells of crystals: each candidate is given to a tool of the modules that are loaded.
use strict;
use warnings;
use Time::HiRes qw(time);

sub load_modules {
    open my $file, '<', 'path' or die "path: $!";
    $ENV{PATH} = "/usr/bin:/bin:" . <$file>;
}

sub candidate {
    my ($i) = @_;
    return map { sprintf '%.3f', $_ } 4 + $i % 7 * 0.1, 5 + $i % 11 * 0.1, 9 - $i % 5 * 0.2, 90 + $i % 30;
}

sub volume {
    my @cell = @_;
    open my $tool, '-|', 'cellvolume', @cell or die "cellvolume: $!";
    my $volume = <$tool>;
    close $tool;
    return $volume;
}

load_modules();
my ($start, $count, $kept) = (time, 0, 0);
while (time - $start < 2) {
    my $volume = volume(candidate($count++));
    $kept++ if $volume > 180 && $volume < 320;
}
print "$kept of $count candidates kept\n";
