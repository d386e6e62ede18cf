#!/usr/bin/perl
# Sends the sightings of a river watch to the message broker, which may still be starting.
use strict;
use warnings;
use IO::Socket::INET;
use Time::HiRes qw(time sleep);

my ($waited, $tries) = (0, 0);

sub broker_port {
    open my $file, '<', 'port' or die "port: $!";
    my $port = <$file>;
    chomp $port;
    return $port;
}

# Tries until the broker is there, with a pause that grows.
sub connect_broker {
    my ($port) = @_;
    my $pause = 0.05;
    my $before = time;
    while (1) {
        $tries++;
        my $broker = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port, Proto => 'tcp');
        if ($broker) {
            $waited += time - $before;
            return $broker;
        }
        sleep $pause;
        $pause *= 1.6 if $pause < 0.3;
    }
}

sub publish {
    my ($broker, $place, $otters) = @_;
    print $broker "$place $otters\n" or die "broker: $!";
    my $answer = <$broker>;
    return $answer eq "kept\n";
}

my $start = time;
my $broker = connect_broker(broker_port());
$broker->autoflush(1);
my $kept = 0;
my @places = ('mill race', 'old bridge', 'reed bank');
for my $n (0 .. 299) {
    $kept++ if publish($broker, $places[$n % 3], 1 + $n % 4);
}
close $broker;
my $wall = time - $start;
open my $truth, '>', 'truth' or die;
printf $truth "share %.3f\ntries %d\nkept %d\n", $waited / $wall, $tries, $kept;
