#!/usr/bin/perl
# Packs all logs that nobody has written to for a year.
use strict;
use warnings;

sub is_old {
    my ($name) = @_;
    my $changed = (lstat $name)[9];
    return $changed < time - 365 * 86400;
}

opendir my $folder, 'logs' or die;
my @logs = sort grep { /\.log$/ } readdir $folder;
closedir $folder;
for my $name (grep { is_old("logs/$_") } @logs) {
    system('gzip', '-9', "logs/$name") == 0 or die "gzip: $?";
    print "$name\n";
}
