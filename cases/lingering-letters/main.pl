# Delivers letters to the post office, one connection each, and lets close wait until everything has arrived.
use strict;
use warnings;
use IO::Socket::INET;
use Socket qw(SOL_SOCKET SO_LINGER SO_SNDBUF);
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

my $closing = 0;

sub now { return clock_gettime(CLOCK_MONOTONIC) }

sub compose_letter {
    my ($number) = @_;
    return "letter $number\n" . join('', map { sprintf "%04d %s\n", $_, 'with kind regards ' x 4 } 1 .. 1500);
}

sub dial {
    my ($port) = @_;
    my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port, Proto => 'tcp') or die "post office: $!";
    setsockopt($socket, SOL_SOCKET, SO_SNDBUF, 212992) or die $!;
    setsockopt($socket, SOL_SOCKET, SO_LINGER, pack('ii', 1, 10)) or die $!;
    return $socket;
}

sub hang_up {
    my ($socket) = @_;
    my $before = now();
    close $socket;
    $closing += now() - $before;
    return;
}

sub deliver {
    my ($port, $letter) = @_;
    my $socket = dial($port);
    my $sent = syswrite $socket, $letter;
    die "only $sent" if $sent != length $letter;
    hang_up($socket);
    return;
}

open my $file, '<', 'port' or die $!;
chomp(my $port = <$file>);
my $start = now();
my $letters = 0;
deliver($port, compose_letter(++$letters)) while now() - $start < 2;
my $wall = now() - $start;
open my $truth, '>', 'truth' or die $!;
printf {$truth} "share %.3f\nletters %d\n", $closing / $wall, $letters;
close $truth;
