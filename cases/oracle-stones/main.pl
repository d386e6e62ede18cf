#!/usr/bin/perl
# Writes the horoscopes of the day. The interpreter of the stones is an old program of its own, asked through pipes.
use strict;
use warnings;
use FindBin;
use IO::Handle;
use IO::Select;
use IPC::Open2;
use Time::HiRes qw(time);

my $start = time;
my $waiting = 0;
my $interpreter = open2(my $from, my $to, $^X, "$FindBin::Bin/interpreter.pl");
$to->autoflush(1);
my $select = IO::Select->new($from);

sub ask {
    my ($sign, $stones) = @_;
    print $to "$sign @$stones\n";
    my $before = time;
    my @there = $select->can_read(0.65);
    $waiting += time - $before;
    return unless @there;
    my $answer = <$from>;
    chomp $answer;
    return $answer;
}

sub horoscope {
    my ($sign, $number) = @_;
    my $answer = ask($sign, [ map { $_ * $number % 7 } 1 .. 5 ]);
    return "$sign: " . ($answer // 'the stones are silent today') . "\n";
}

open my $out, '>', 'horoscopes.txt' or die;
my $number = 1;
print $out horoscope($_, $number++) for qw(aries taurus gemini);
close $out;
close $to;
waitpid $interpreter, 0;

open my $truth, '>', 'truth' or die;
printf $truth "share %.3f\n", $waiting / (time - $start);
close $truth;
