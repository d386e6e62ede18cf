#!/usr/bin/perl
# Draws the charts of a radio mast: a helper fits the curves, and each chart is kept safely.
use strict;
use warnings;
use IPC::Open2;
use IO::Handle;
use Time::HiRes qw(time);

sub start_helper {
    my ($python, $script) = @_;
    my ($from, $to);
    my $pid = open2($from, $to, $python, $script);
    $to->autoflush(1);
    return { pid => $pid, from => $from, to => $to };
}

sub readings {
    my ($n) = @_;
    return map { sprintf '%.2f', 40 + 20 * sin($_ / 9 + $n) + ($_ * 7919 + $n * 31) % 13 } 1 .. 60;
}

sub fit {
    my ($helper, @values) = @_;
    print { $helper->{to} } join(' ', @values), "\n";
    my $line = readline $helper->{from};
    die "the helper has gone\n" unless defined $line;
    return split ' ', $line;
}

sub draw {
    my ($n, @curve) = @_;
    my @rows = map { '.' x 60 } 1 .. 20;
    for my $x (0 .. $#curve) {
        my $y = int($curve[$x] / 4.5);
        $y = 19 if $y > 19;
        substr $rows[ 19 - $y ], $x, 1, '*' if $y >= 0 && $x < 60;
    }
    return "chart $n\n" . join("\n", @rows) . "\n";
}

sub keep {
    my ($n, $text) = @_;
    open my $file, '>', sprintf('chart-%04d.txt', $n) or die "chart $n: $!\n";
    print {$file} $text;
    $file->flush && $file->sync or die "chart $n: $!\n";
    close $file;
}

my ($python, $script) = @ARGV;
my $helper = start_helper($python, $script);
my $start  = time;
my ($n, $fitting, $keeping) = (0, 0, 0);
while (time - $start < 2) {
    my $t     = time;
    my @curve = fit($helper, readings($n));
    $fitting += time - $t;
    my $text = draw($n, @curve);
    $t = time;
    keep($n, $text);
    $keeping += time - $t;
    $n++;
}
close $helper->{to};
waitpid $helper->{pid}, 0;
printf "%d charts, fitting %.2f, keeping %.2f of the time\n", $n, $fitting / (time - $start), $keeping / (time - $start);
