#!/usr/bin/perl
# A concordance of a long text: each word with the number of its places, and its most frequent neighbour.
use strict;
use warnings;
use Time::HiRes 'time';

my $word = qr/[a-z]+/;

sub read_words {
    my ($path, $end) = @_;
    my (%count, %follows, $last);
    my $lines = 0;
    open my $text, '<', $path or die "$path: $!";
    while (my $line = <$text>) {
        for my $found (lc($line) =~ /$word/g) {
            $count{$found}++;
            $follows{"$last $found"}++ if defined $last;
            $last = $found;
        }
        last if ++$lines % 1000 == 0 && time > $end;
    }
    return ($lines, \%count, \%follows);
}

sub neighbours {
    my ($follows) = @_;
    my %best;
    while (my ($pair, $times) = each %$follows) {
        my ($first, $second) = split / /, $pair;
        $best{$first} = [$second, $times] if !$best{$first} || $times > $best{$first}[1];
    }
    return \%best;
}

sub write_concordance {
    my ($count, $best) = @_;
    open my $out, '>', 'concordance.txt' or die;
    for my $entry (sort { $count->{$b} <=> $count->{$a} || $a cmp $b } keys %$count) {
        my $neighbour = $best->{$entry} || ['', 0];
        printf $out "%-16s %7d  %s (%d)\n", $entry, $count->{$entry}, @$neighbour;
    }
    close $out;
}

my $start = time;
my ($lines, $count, $follows) = read_words('novel.txt', $start + 1.8);
my $read = time - $start;
write_concordance($count, neighbours($follows));
open my $truth, '>', 'truth' or die;
printf $truth "reading %.3f\nlines %d\nwords %d\n", $read / (time - $start), $lines, scalar keys %$count;
