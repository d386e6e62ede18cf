#!/usr/bin/perl
# Reads the feed of some weather buoys, and prints the highest wave of each.
use strict;
use warnings;
use JSON::PP;
use Time::HiRes qw(time);

sub next_message {
    my ($n) = @_;
    my @samples = map { sprintf '{"second":%d,"height":%.2f,"ok":true}', $_, abs(sin($n + $_) * 4) } 1 .. 25;
    return sprintf '{"buoy":"B-%d","place":{"lat":%.3f,"lon":%.3f},"note":"swell from \"NW\"","samples":[%s]}',
        $n % 30, 54 + $n % 7, 8 + $n % 5, join(',', @samples);
}

sub highest {
    my ($message) = @_;
    my $best = 0;
    for my $sample (@{ $message->{samples} }) {
        $best = $sample->{height} if $sample->{ok} && $sample->{height} > $best;
    }
    return $best;
}

my $json = JSON::PP->new->utf8;
my (%top, $messages);
my $reading = 0;
my $start = time;
while (time - $start < 2) {
    my $text = next_message($messages++);
    my $before = time;
    my $message = $json->decode($text);
    $reading += time - $before;
    my $height = highest($message);
    my $buoy = $message->{buoy};
    $top{$buoy} = $height if !defined $top{$buoy} || $height > $top{$buoy};
}
my $wall = time - $start;
print "$messages messages\n";
printf "%s %.2f\n", $_, $top{$_} for sort keys %top;
open my $truth, '>', 'truth' or die $!;
printf $truth "share %.2f\nmessages %d\n", $reading / $wall, $messages;
