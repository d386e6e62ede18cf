#!/usr/bin/perl
# Prints the labels of a vineyard: each job is laid out by a thread, so that a bad one cannot stop the press.
use strict;
use warnings;
use threads;
use Time::HiRes qw(time);

my %wines;
my %customers;

sub load_tables {
    for my $n (1 .. 12_000) {
        $wines{"W$n"} = { name => "Wine $n", year => 1990 + $n % 34, place => "Hill " . $n % 40 };
    }
    for my $n (1 .. 6_000) {
        $customers{"C$n"} = [ "Customer $n", "Street " . $n % 700, 10_000 + $n ];
    }
}

sub layout {
    my ($wine, $customer, $count) = @_;
    my $w = $wines{$wine}         or die "no wine $wine\n";
    my $c = $customers{$customer} or die "no customer $customer\n";
    my @lines;
    for my $bottle (1 .. $count) {
        push @lines, sprintf "%-20s %4d  %-10s  for %-18s no. %03d", $w->{name}, $w->{year}, $w->{place}, $c->[0], $bottle;
    }
    return join "\n", @lines;
}

sub jobs {
    my ($from) = @_;
    return map { [ 'W' . (1 + $_ * 37 % 12_000), 'C' . (1 + $_ * 11 % 6_000), 200 + $_ % 50 ] } $from .. $from + 3;
}

load_tables();
my $start = time;
my ($printed, $labels) = (0, 0);
open my $press, '>', 'press.txt' or die "press.txt: $!\n";
while (time - $start < 1.9) {
    for my $job (jobs($printed)) {
        my ($thread) = threads->create(sub { layout(@$job) });
        my $text = $thread->join;
        if (my $error = $thread->error) {
            warn "job $printed: $error";
            next;
        }
        print {$press} $text, "\f\n";
        $printed++;
        $labels += $job->[2];
        last if time - $start >= 1.9;
    }
}
close $press;
print "$printed jobs, $labels labels\n";
