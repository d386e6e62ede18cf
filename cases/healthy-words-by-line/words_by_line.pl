# Lists the words of a text with their lines.
use strict;
use warnings;
use Time::HiRes qw(time);

my (%lines_of, @times);

sub add_line {
    my ($text) = @_;
    my $number = $.;
    for my $word (split /[^a-z]+/, lc $text) {
        next if length $word < 3;
        push @{ $lines_of{$word} }, $number;
    }
}

sub write_words {
    open my $out, '>', 'words.txt' or die "words.txt: $!";
    for my $word (sort keys %lines_of) {
        my @lines = @{ $lines_of{$word} };
        print $out "$word (", scalar @lines, "): ", join(', ', @lines[0 .. ($#lines < 9 ? $#lines : 9)]), "\n";
    }
    close $out or die "words.txt: $!";
}

open my $text, '<', 'novel.txt' or die "novel.txt: $!";
while (my $line = <$text>) {
    add_line($line);
    push @times, time if $. % 65_000 == 0;
}
close $text;
write_words();
open my $truth, '>', 'truth' or die "truth: $!";
printf $truth "last_to_second_quarter %.2f\nwords %d\n", ($times[3] - $times[2]) / ($times[1] - $times[0]), scalar keys %lines_of;
