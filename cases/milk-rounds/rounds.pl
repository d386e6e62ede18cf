# Adds up how long a dairy's drivers were on their rounds, from the log of the milk churns.
use strict;
use warnings;
use Time::HiRes qw(time);
use Time::Piece;

my @farms = ("Alder Farm", "Beech Hill", "Chapel Lane", "Dove House", "Elm Court");

sub log_line {
    my ($number) = @_;
    return sprintf("%04d-%02d-%02d %02d:%02d:%02d;%s;%d litres", 2019 + $number % 5, 1 + $number % 12, 1 + $number % 28,
        4 + $number % 6, $number % 60, $number * 7 % 60, $farms[$number % 5], 40 + $number % 200);
}

sub moment {
    my ($text) = @_;
    return Time::Piece->strptime($text, "%Y-%m-%d %H:%M:%S");
}

sub is_early {
    my ($line) = @_;
    my ($stamp) = split(/;/, $line);
    my $moment = moment($stamp);
    return $moment->hour < 6 && $moment->day_of_week != 0;
}

my $start = time();
my ($lines, $early) = (0, 0);
while (time() - $start < 2.0) {
    for (1 .. 100) {
        $early++ if is_early(log_line($lines));
        $lines++;
    }
}
open(my $truth, ">", "truth") or die "truth: $!";
print $truth "lines $lines\nearly $early\n";
