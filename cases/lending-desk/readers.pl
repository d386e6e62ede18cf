# Readers who come to the lending desk now and then.
use strict;
use warnings;
use IO::Socket::INET;
use Time::HiRes qw(sleep);

open my $ready, '>', 'ready' or die $!;
close $ready;
my $tries = 0;
until (-e 'desk.port') { sleep 0.05; exit 1 if $tries++ > 400 }
open my $f, '<', 'desk.port' or die $!;
my $port = 0 + <$f>;
for my $line ('LEND 17 Anna', 'LEND 4 Bert', 'RETURN 17', 'LEND 9 Carla', 'CLOSE') {
    sleep 0.5;
    my $desk = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port) or die $!;
    print $desk "$line\n";
    my $reply = <$desk>;
    close $desk;
}
