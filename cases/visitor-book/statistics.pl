#!/usr/bin/perl
# Evaluates the visitor book of a museum every now and then, while nobody may write into it.
use strict;
use warnings;
use Fcntl ':flock';
use Time::HiRes qw(time sleep);

sub evaluate {
    my ($book) = @_;
    my %visitors;
    seek $book, 0, 0;
    while (my $line = <$book>) {
        my ($town) = split /;/, $line;
        $visitors{$town}++;
    }
    # Each town once per round, until the report of this quarter hour is done.
    my ($sum, $end) = (0, time + 0.25);
    while (time < $end) {
        $sum += $_ * $_ for values %visitors;
    }
    return $sum;
}

my $first = 1;
while (1) {
    open my $book, '+>>', 'book.csv' or die;
    flock $book, LOCK_EX or die;
    if ($first) {
        open my $ready, '>', 'ready' or die;
        $first = 0;
    }
    evaluate($book);
    close $book;
    sleep 0.03;
}
