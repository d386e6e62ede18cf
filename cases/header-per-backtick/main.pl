# Sorts the pages of a manual by their titles. The title of each page is taken from its first line by a pipeline in
# backticks: a shell, head and sed for each page.
use strict;
use warnings;
use Time::HiRes qw(time);

my ($fetching, $fetched) = (0, 0);

sub write_pages {
    my ($count) = @_;
    mkdir 'manual';
    for my $n (1 .. $count) {
        open my $page, '>', "manual/page-$n.txt" or die "page-$n: $!";
        printf $page "= %s of the %s =\n\n%s", ('Care', 'Repair', 'History', 'Use')[$n % 4], "machine $n", "Text.\n" x 40;
        close $page;
    }
}

sub title_of {
    my ($path) = @_;
    my $before = time;
    my $title = `head -n 1 $path | sed 's/^= *//; s/ *=\$//'`;
    chomp $title;
    $fetching += time - $before;
    $fetched++;
    return $title;
}

sub table_of_contents {
    my ($until) = @_;
    my %titles;
    for my $path (glob 'manual/*.txt') {
        last if time > $until;
        $titles{$path} = title_of($path);
    }
    return map { "$titles{$_} ($_)" } sort { $titles{$a} cmp $titles{$b} } keys %titles;
}

write_pages(200);
my $start = time;
my $lines = 0;
while (time < $start + 2) {
    my @contents = table_of_contents($start + 2);
    $lines += @contents;
}
open my $truth, '>', 'truth' or die "truth: $!";
printf $truth "fetching %.3f\ntitles %d\nms_per_title %.1f\n", $fetching / (time - $start), $fetched, 1000 * $fetching / $fetched;
close $truth;
