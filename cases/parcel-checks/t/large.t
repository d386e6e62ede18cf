use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use ParcelServer;

my $server = ParcelServer->start;
is($server->ask($_), 'large', "a parcel of $_ kg") for qw(10 40 300);
$server->stop;
done_testing;
