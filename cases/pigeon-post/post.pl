# Sends the weights of a pigeon club's birds to its book-keeper, a letter with a head and a body for each.
use strict;
use warnings;
use IO::Socket::INET;
use Time::HiRes qw(time);

my $waiting = 0;

sub send_weight {
    my ($keeper, $pigeon, $grams) = @_;
    my $body = "pigeon $pigeon weighs $grams\n";
    syswrite($keeper, 'length ' . length($body) . "\n");
    syswrite($keeper, $body);
    my $before = time;
    my $answer = <$keeper>;
    $waiting += time - $before;
    return $answer;
}

open(my $file, '<', 'port') or die $!;
chomp(my $port = <$file>);
my $keeper = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port) or die $!;
my ($start, $sent) = (time, 0);
while (time < $start + 2.2) {
    send_weight($keeper, $sent, 380 + $sent * 7 % 90);
    $sent++;
}
open(my $truth, '>', 'truth') or die $!;
printf $truth "share %.3f\nletters %d\n", $waiting / (time - $start), $sent;
