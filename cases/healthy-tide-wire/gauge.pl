#!/usr/bin/perl
# The gauge of a harbour: measures eight times a second and reports the level to whoever listens.
use strict;
use warnings;
use IO::Socket::UNIX;
use Time::HiRes 'sleep';

$SIG{PIPE} = 'IGNORE';
my $server = IO::Socket::UNIX->new(Local => 'gauge.sock', Listen => 4) or die "gauge.sock: $!\n";
open my $ready, '>', 'ready' or die "ready: $!\n";
close $ready;
while (my $wire = $server->accept) {
    my $number = 0;
    while (1) {
        sleep 0.125;
        syswrite($wire, sprintf("%d %d\n", $number, 300 + 120 * sin($number / 9))) or last;
        $number++;
    }
}
