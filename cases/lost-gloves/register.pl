# The register of a lost property office: sorts all notes by their likeness to the question, for each question.
use strict;
use warnings;
use IO::Socket::UNIX;

my @notes = map { { owner => $_, size => $_ * 7 % 23, wool => $_ * 13 % 41 } } 1 .. 9000;

sub most_alike {
    my ($gloves) = @_;
    my @best = sort {
        abs($a->{size} - $gloves % 23) + abs($a->{wool} - $gloves % 41) <=> abs($b->{size} - $gloves % 23) + abs($b->{wool} - $gloves % 41)
            or $a->{owner} <=> $b->{owner}
    } @notes;
    return $best[0]{owner};
}

my $server = IO::Socket::UNIX->new(Local => 'register.sock', Listen => 5) or die $!;
open(my $ready, '>', 'ready') or die $!;
close $ready;
while (my $office = $server->accept) {
    $office->autoflush(1);
    while (my $question = <$office>) {
        my ($gloves) = $question =~ /(\d+)/;
        print $office most_alike($gloves), "\n";
    }
}
