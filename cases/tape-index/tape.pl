# Makes an index of a tape of interviews: for each speaker, how many words were said.
use strict;
use warnings;
use Time::HiRes qw(time);

sub make_tape {
    open(my $out, '>', 'tape.txt') or die $!;
    for my $n (1 .. 120000) {
        print $out 'speaker', $n % 23, ': ', 'and then we went on ' x (1 + $n % 3), "\n";
    }
    close $out;
}

sub next_line {
    my ($tape) = @_;
    my $line = '';
    while (sysread($tape, my $letter, 1)) {
        return $line if $letter eq "\n";
        $line .= $letter;
    }
    return length $line ? $line : undef;
}

make_tape();
my ($start, $letters, $lines, %words) = (time, 0, 0);
open(my $tape, '<', 'tape.txt') or die $!;
while (time < $start + 2 and defined(my $line = next_line($tape))) {
    my ($speaker, $said) = split /: /, $line, 2;
    $words{$speaker} += () = $said =~ /\w+/g;
    $letters += 1 + length $line;
    $lines++;
}
my ($user, $system) = times;
open(my $truth, '>', 'truth') or die $!;
printf $truth "system %.3f\nletters %d\nlines %d\n", $system / (time - $start), $letters, $lines;
