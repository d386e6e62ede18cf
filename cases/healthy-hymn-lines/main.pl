# Counts the metres of hymns: syllables per line, by the groups of vowels.
use strict;
use warnings;
use Time::HiRes 'time';

my @words = qw(morning evening shepherd meadow river golden harvest silent mountain lantern candle winter bell tower choir);

sub make_line {
    my ($number) = @_;
    return join ' ', map { $words[($number * 7 + $_ * $_) % @words] } 0 .. 4 + $number % 3;
}

sub syllables {
    my ($line) = @_;
    my $count = () = $line =~ /[aeiou]+/g;
    return $count;
}

my $end = time + 2;
my (%metres, $lines);
for ($lines = 0; $lines % 1000 || time < $end; $lines++) {
    $metres{syllables(make_line($lines))}++;
}
print "$lines lines, ", scalar(keys %metres), " metres\n";
