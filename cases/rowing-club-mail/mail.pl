#!/usr/bin/perl
# Sends the members of the rowing club their times for the week.
use strict;
use warnings;
use IO::Socket::INET;
use Time::HiRes qw(time);

my %seconds = (connect => 0, greeting => 0, letter => 0);

sub mail_port {
    open my $f, '<', 'ready' or die "no mail host: $!";
    return 0 + <$f>;
}

sub reply {
    my ($host, $expected) = @_;
    my $line = <$host> // die "mail host hung up";
    die "mail host says $line" if $line !~ /^$expected/;
    return $line;
}

sub call_mail_host {
    my ($port) = @_;
    my $before = time;
    my $host = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port, Proto => 'tcp') or die $!;
    $host->autoflush(1);
    $seconds{connect} += time - $before;
    $before = time;
    reply($host, 220);
    $seconds{greeting} += time - $before;
    return $host;
}

sub send_letter {
    my ($port, $member, $text) = @_;
    my $host = call_mail_host($port);
    my $before = time;
    for my $line ('HELO club.example.test', 'MAIL FROM:<cox@club.example.test>', "RCPT TO:<$member>") {
        print $host "$line\r\n";
        reply($host, 250);
    }
    print $host "DATA\r\n";
    reply($host, 354);
    print $host "$text\r\n.\r\n";
    reply($host, 250);
    print $host "QUIT\r\n";
    reply($host, 221);
    close $host;
    $seconds{letter} += time - $before;
}

my @boats = ('single', 'double', 'four', 'eight');
my $port = mail_port();
my $start = time;
for my $n (1 .. 36) {
    my $boat = $boats[$n % 4];
    my $text = join "\r\n", "Dear member $n,", "you row the $boat:", map { "$_ at " . (6 + ($n + length $_) % 4) . ":00" }
        qw(Monday Wednesday Saturday);
    send_letter($port, "member$n\@club.example.test", $text);
}
my $wall = time - $start;
open my $truth, '>', 'truth' or die $!;
printf $truth "seconds %.3f\nseconds_greeting %.3f\nseconds_letters %.3f\nletters 36\n", $wall, $seconds{greeting}, $seconds{letter};
