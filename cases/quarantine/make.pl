# Letters of a day, and a list of names with initials ("k. hobermann").
use strict;
use warnings;
srand 9;
my @parts = qw(ho ber mann li sto ker ra den fal ke bri ste wen dt ol ga pe tra ul mo ri na cas tor vi gel);
sub name { join '', map { $parts[rand @parts] } 1 .. 2 + rand 3 }
sub surname { join '', map { $parts[rand @parts] } 1, 2 }
open my $names, '>', 'names.txt' or die;
print {$names} chr(97 + rand 26), '. ', surname(), "\n" for 1 .. ($ARGV[0] // 450);
open my $letters, '>', 'letters.txt' or die;
for my $i (1 .. ($ARGV[1] // 30000)) {
    print {$letters} "office-", int rand 40, " ", name(), " ", join(' ', map { name() } 1 .. 8), " ", chr(97 + rand 26), ". ", surname(), "\n";
}
