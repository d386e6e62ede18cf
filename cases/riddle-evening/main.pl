#!/usr/bin/perl
# Asks riddles, and reads the answers of its user, who sits at the other end.
use strict;
use warnings;

my @riddles = (
    [ "What has hands but cannot clap?",        qr/clock/i ],
    [ "What gets wetter the more it dries?",    qr/towel/i ],
    [ "What has teeth but cannot bite?",        qr/comb/i ],
    [ "What runs but never walks?",             qr/river|water/i ],
    [ "What has an eye but cannot see?",        qr/needle/i ],
);

sub ask {
    my ($screen, $keyboard, $question) = @_;
    print $screen "$question\n";
    my $answer = <$keyboard>;
    return defined $answer ? $answer =~ s/\s+\z//r : '';
}

sub judge {
    my ($answer, $wanted) = @_;
    return $answer =~ $wanted ? 1 : 0;
}

open my $keyboard, '<', $ARGV[0] or die "$ARGV[0]: $!";
open my $screen, '>', 'screen.txt' or die;
$screen->autoflush(1);
my $points = 0;
my @told;
for my $riddle (@riddles) {
    my ($question, $wanted) = @$riddle;
    my $answer = ask($screen, $keyboard, $question);
    my $right = judge($answer, $wanted);
    print $screen $right ? "Right!\n" : "No, sorry.\n";
    $points += $right;
    push @told, $answer;
}
print $screen "You have $points of ${\ scalar @riddles} points.\n";

open my $truth, '>', 'truth' or die;
printf $truth "points %d\nletters %d\n", $points, length join '', @told;
close $truth;
