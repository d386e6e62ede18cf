#!/usr/bin/perl
# Sells tickets at several windows, one thread each; all of them use one plan of the seats.
use strict;
use warnings;
use threads;
use threads::shared;
use IO::Socket::INET;
use Time::HiRes qw(time sleep);

my %seats : shared;
my $waited : shared = 0;
$seats{$_} = 'free' for 1 .. 4000;

sub confirm {
    my ($office, $seat) = @_;
    print $office "$seat\n";
    my $answer = <$office>;
    return $answer =~ /^yes/;
}

sub sell {
    my ($office, $window, $number) = @_;
    my $t = time;
    lock(%seats);
    { lock($waited); $waited += time - $t; }
    my $seat = ($window * 701 + $number * 13) % 4000 + 1;
    return 0 unless $seats{$seat} eq 'free';
    $seats{$seat} = "window $window" if confirm($office, $seat);
    return 1;
}

sub window {
    my ($window, $until) = @_;
    my $office = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => 12590) or die "no office: $!";
    $office->autoflush(1);
    my ($sold, $number) = (0, 0);
    while (time < $until) {
        $sold += sell($office, $window, $number++);
        sleep 0.003;    # the next customer steps up
    }
    return $sold;
}

my $until = time + 2;
my @windows = map { my $w = $_; threads->create(sub { window($w, $until) }) } 1 .. 5;
my $sold = 0;
$sold += $_->join for @windows;
printf "%d tickets, %.2f s of waiting at 5 windows\n", $sold, $waited;
