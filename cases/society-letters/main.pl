#!/usr/bin/perl
# Sends the letter of a society to those of its members who want it.
use strict;
use warnings;
use IO::Socket::INET;
use Time::HiRes qw(time);

my ($relay_time, $list_time) = (0, 0);
my @unsubscribed = map { sprintf 'Member%d@Post%d.example', $_ * 7919 % 100_003, $_ % 97 } 1 .. 140_000;

sub wants_letter {
    my ($address) = @_;
    my $start = time;
    my @found = grep { lc $_ eq lc $address } @unsubscribed;
    $list_time += time - $start;
    return !@found;
}

sub deliver {
    my ($relay, $address) = @_;
    my $start = time;
    for my $line ("MAIL FROM:<club\@example.org>", "RCPT TO:<$address>") {
        print $relay "$line\r\n";
        my $answer = <$relay>;
        die "relay: no answer\n" unless defined $answer;
    }
    $relay_time += time - $start;
}

open my $in, '<', 'port' or die;
my $port = <$in>;
my $begin = time;
my $relay = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port, Proto => 'tcp') or die "relay: $@\n";
$relay->autoflush(1);
my $greeting = <$relay>;
my ($sent, $number) = (0, 0);
while (time - $begin < 2) {
    my $address = sprintf 'member%d@post%d.example', $number * 31 % 200_003, $number % 97;
    $number++;
    next unless wants_letter($address);
    deliver($relay, $address);
    $sent++;
}
print $relay "QUIT\r\n";
my $wall = time - $begin + 0.04;
print "$sent of $number letters sent\n";
open my $truth, '>', 'truth' or die;
printf $truth "share %.2f\nlist %.2f\n", $relay_time / $wall, $list_time / $wall;
