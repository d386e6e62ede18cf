# A history of 4,500 commits for git fast-import.
use strict;
use warnings;
srand 4;
my @text = map { join ' ', map { int rand 5000 } 1 .. 12 } 1 .. 600;
for my $n (1 .. 4500) {
    $text[rand @text] = join ' ', map { int rand 5000 } 1 .. 12 for 1 .. 8;
    my $file = $n % 40;
    my $body = join("\n", @text) . "\n";
    my $message = "change $n";
    printf "commit refs/heads/main\ncommitter keeper <keeper\@localhost> %d +0000\ndata %d\n%s\nM 100644 inline f%d.txt\ndata %d\n%s\n", 1700000000 + $n * 60, length $message, $message, $file, length $body, $body;
}
