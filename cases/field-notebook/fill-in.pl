#!/usr/bin/perl
# Puts the observer's name into a sheet on checkout, and takes it out again before it is stored.
use strict;
use warnings;
use POSIX qw(strftime);
use Encode;
use File::Spec;

my $direction = shift @ARGV // 'smudge';
my $observer = $ENV{OBSERVER} // 'Ilse';
while (my $line = <STDIN>) {
    if ($direction eq 'smudge') { $line =~ s/\@OBSERVER\@/$observer/ }
    else                        { $line =~ s/observer \S+/observer \@OBSERVER\@/ }
    print $line;
}
