#!/usr/bin/perl
# The worker of the old release: it finishes what it has begun before it stops.
use strict;
use warnings;
use IO::Socket::INET;
use Time::HiRes qw(sleep);
my $socket = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => 47913, Listen => 1, ReuseAddr => 1) or die "port: $!";
open my $ready, '>', 'ready' or die;
close $ready;
for (1 .. 2000) { last if -s 'worker.log'; sleep 0.01 }
sleep 1.25;
