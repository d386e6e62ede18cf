use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use ParcelServer;

my $server = ParcelServer->start;
is($server->ask($_), 'medium', "a parcel of $_ kg") for qw(2 5 9.9);
$server->stop;
done_testing;
