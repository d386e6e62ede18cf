use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use ParcelServer;

my $server = ParcelServer->start;
is($server->ask($_), 'small', "a parcel of $_ kg") for qw(0.1 0.5 1.9);
$server->stop;
done_testing;
