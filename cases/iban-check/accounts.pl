#!/usr/bin/perl
# Checks the account numbers of a direct debit, adds up what each bank gets, and writes the list for it.
use strict;
use warnings;
use Math::BigInt;
use Time::HiRes qw(time);

my %length_of = (DE => 22, AT => 20, FR => 27, NL => 18, BE => 16);

sub debit {
    my ($n) = @_;
    my @lands = sort keys %length_of;
    my $land  = $lands[ $n % @lands ];
    my $rest  = $length_of{$land} - 4;
    my $body  = substr sprintf('%09d%09d%09d', $n * 7919 % 999_999_937, $n * 104_729 % 999_999_937, $n), -$rest;
    return { iban => $land . sprintf('%02d', 2 + $n % 97) . $body, cents => 100 + $n * 37 % 90_000, member => $n };
}

sub digits_of {
    my ($iban) = @_;
    my $moved = substr($iban, 4) . substr($iban, 0, 4);
    $moved =~ s/([A-Z])/ord($1) - 55/ge;
    return $moved;
}

sub is_valid {
    my ($iban) = @_;
    return 0 unless $iban =~ /^([A-Z]{2})\d{2}[0-9A-Z]+$/;
    return 0 unless length($iban) == ($length_of{$1} // 0);
    my $number = Math::BigInt->new(digits_of($iban));
    return $number->bmod(97)->is_one;
}

my $start = time;
my (%sum, %bad);
my $n = 0;
open my $list, '>', 'debits.csv' or die "debits.csv: $!\n";
while (time - $start < 2) {
    for (1 .. 100) {
        my $d    = debit($n++);
        my $land = substr $d->{iban}, 0, 2;
        if (is_valid($d->{iban})) {
            $sum{$land} += $d->{cents};
            printf {$list} "%s;%d;%.2f\n", $d->{iban}, $d->{member}, $d->{cents} / 100;
        } else {
            $bad{$land}++;
        }
    }
}
close $list;
print "$n debits, ", join(', ', map { sprintf '%s: %d cents, %d bad', $_, $sum{$_} // 0, $bad{$_} // 0 } sort keys %length_of), "\n";
