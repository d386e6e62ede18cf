#!/usr/bin/perl
# Reads the labels of an archive's boxes. Old labels have other forms, which are tried one after the other.
use strict;
use warnings;
use Carp qw(confess);
use Time::HiRes qw(time);

sub read_year {
    my ($text) = @_;
    $text =~ /^(\d{4})$/ or confess "no year: $text";
    return { from => $1, to => $1 };
}

sub read_span {
    my ($text) = @_;
    $text =~ /^(\d{4})-(\d{2,4})$/ or confess "no span: $text";
    return { from => $1, to => length $2 == 2 ? substr($1, 0, 2) . $2 : $2 };
}

sub read_century {
    my ($text) = @_;
    $text =~ /^(\d\d?)th c\.$/ or confess "no century: $text";
    return { from => ($1 - 1) * 100, to => $1 * 100 - 1 };
}

my @readers = (\&read_year, \&read_span, \&read_century);

sub read_date {
    my ($text) = @_;
    for my $reader (@readers) {
        my $date = eval { $reader->($text) };
        return $date if $date;
    }
    return { from => 0, to => 9999 };
}

sub read_label {
    my ($line) = @_;
    my ($box, $date, @rest) = split /;/, $line;
    return { box => $box, date => read_date($date), topics => \@rest };
}

sub read_shelf {
    my ($lines) = @_;
    return map { read_label($_) } @$lines;
}

my @dates = ('17th c.', '9th c.', '1812-14', 'undated', '18th c.', '1790', 'undated', '16th c.');
my ($boxes, %by_century) = (0);
my $until = time + 2;
while (time < $until) {
    my @lines = map { join ';', "box $_", $dates[ $_ % @dates ], 'letters', 'maps', "part $_" } 1 .. 40;
    for my $label (read_shelf(\@lines)) {
        $by_century{ int($label->{date}{from} / 100) }++;
        $boxes++;
    }
}
print "$boxes boxes\n";
print "$_: $by_century{$_}\n" for sort { $a <=> $b } keys %by_century;
