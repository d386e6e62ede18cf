#!/usr/bin/perl
# Bills the breakfasts of a hotel. Equal orders have an equal price, which is remembered by the order itself.
use strict;
use warnings;
use Data::Dumper;
use Time::HiRes qw(time);

my %price = map { ("dish $_" => 120 + $_ * 7) } 0 .. 60;
my %remembered;
my $naming = 0;

sub order_key {
    my ($order) = @_;
    local $Data::Dumper::Sortkeys = 1;
    local $Data::Dumper::Indent   = 1;
    local $Data::Dumper::Useperl  = 1;
    return Dumper($order);
}

sub compute {
    my ($order) = @_;
    my $sum = 0;
    for my $guest (@{ $order->{guests} }) {
        $sum += $price{$_} * (1 - $guest->{discount} / 100) for @{ $guest->{dishes} };
    }
    return $sum;
}

sub total {
    my ($order) = @_;
    my $before = time;
    my $key = order_key($order);
    $naming += time - $before;
    return $remembered{$key} //= compute($order);
}

sub make_order {
    my ($n) = @_;
    return {
        room   => 100 + $n % 40,
        guests => [ map { { discount => 10 * ($_ % 3), dishes => [ map { 'dish ' . (($n + $_) % 61) } 1 .. 8 ] } } 1 .. 3 ],
    };
}

my ($orders, $sum) = (0, 0);
my $start = time;
while (time - $start < 2) {
    $sum += total(make_order($orders++ % 2000));
}
my $wall = time - $start;
printf "%d orders, %.2f, %d kinds\n", $orders, $sum / 100, scalar keys %remembered;
open my $truth, '>', 'truth' or die $!;
printf $truth "share %.2f\norders %d\n", $naming / $wall, $orders;
