# Writes the ledger of a wool market: each bale gets the name of its farm in a short form.
use strict;
use warnings;
use Time::HiRes 'time';

sub short_name {
    my ($farm) = @_;
    my $name = `basename /valley/farms/$farm .farm`;
    chomp $name;
    return $name;
}

sub enter_bale {
    my ($ledger, $bale) = @_;
    my $name = short_name("meadow-" . $bale % 40 . ".farm");
    printf $ledger "%-12s bale %d, %d kg\n", $name, $bale, 90 + $bale % 23;
}

open my $ledger, '>', 'ledger.txt' or die;
my $end = time + 2;
my $bales = 0;
enter_bale($ledger, $bales++) while time < $end;
print "$bales bales\n";
