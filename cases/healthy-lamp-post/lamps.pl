# Asks the controller of a town's street lamps for its lamps, and simulates how many will burn out in the next years.
use strict;
use warnings;
use IO::Socket::INET;
use Time::HiRes qw(sleep time);

sub ask_controller {
    open(my $in, "<", "port") or die "port: $!";
    my $port = <$in>;
    for my $attempt (1 .. 5) {
        my $controller = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $port) or die "controller: $!";
        print $controller "list\n";
        $controller->flush();
        my @lines = <$controller>;
        return @lines unless $lines[0] eq "busy\n";
        sleep(0.05);
    }
    die "the controller is always busy";
}

my $chance = 12345;

sub draw {
    $chance = ($chance * 1103515245 + 12345) & 0x7fffffff;
    return $chance / 0x7fffffff;
}

sub simulate_year {
    my ($ages) = @_;
    my $burnt = 0;
    for my $age (@$ages) {
        if (draw() < 0.01 * (1 + $age)) {
            $burnt++;
            $age = 0;
        } else {
            $age++;
        }
    }
    return $burnt;
}

my @ages = map { (split ' ')[2] } ask_controller();
my $start = time();
my ($years, $burnt) = (0, 0);
while (time() - $start < 2.0) {
    $burnt += simulate_year(\@ages);
    $years++;
}
printf("%d lamps in %d years\n", $burnt, $years);
