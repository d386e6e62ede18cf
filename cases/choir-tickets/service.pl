# The ticket service: one line in, one line out.
use strict;
use warnings;
use IO::Socket::INET;

my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => 0, Listen => 50) or die $!;
open my $f, '>', 'ready.new' or die $!;
print $f $listener->sockport;
close $f;
rename 'ready.new', 'ready';
my $seat = 0;
while (my $client = $listener->accept) {
    my $line = <$client>;
    print $client "seat ", ++$seat, " for $line" if defined $line;
    close $client;
}
