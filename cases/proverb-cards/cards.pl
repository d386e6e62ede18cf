# Prints cards with a proverb on each; the collection has one proverb per line.
use strict;
use warnings;
use Time::HiRes qw(time);

my $collection = "proverbs.txt";

sub write_collection {
    my @subjects = ("A rolling stone", "The early bird", "A stitch in time", "Still water", "Many hands");
    my @rest = ("gathers no moss", "catches the worm", "saves nine", "runs deep", "make light work");
    open(my $out, ">", $collection) or die "$collection: $!";
    for my $n (0 .. 19_999) {
        print $out "$subjects[$n % 5] $rest[($n + int($n / 5)) % 5], as they say in village $n\n";
    }
    close($out) or die "$collection: $!";
}

sub proverb {
    my ($number) = @_;
    open(my $in, "<", $collection) or die "$collection: $!";
    while (my $line = <$in>) {
        if ($. == $number) {
            chomp($line);
            return $line;
        }
    }
    return "no proverb $number";
}

sub card {
    my ($number) = @_;
    my $text = proverb($number);
    my $edge = "*" x (length($text) + 4);
    return "$edge\n* $text *\n$edge\n";
}

write_collection();
my $start = time();
my ($cards, $letters) = (0, 0);
while (time() - $start < 2.0) {
    $letters += length(card(1 + $cards * 7919 % 20_000));
    $cards++;
}
open(my $truth, ">", "truth") or die "truth: $!";
print $truth "cards $cards\nletters $letters\n";
