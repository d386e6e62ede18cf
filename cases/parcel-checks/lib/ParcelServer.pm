package ParcelServer;
# A little server for the tests: answers the weight class of a parcel.
use strict;
use warnings;
use IO::Socket::INET;

sub start {
    my ($class) = @_;
    my $listener = IO::Socket::INET->new(Listen => 5, LocalAddr => '127.0.0.1', ReuseAddr => 1) or die "listen: $!";
    my $pid = fork // die "fork: $!";
    if (!$pid) {
        while (my $visitor = $listener->accept) {
            while (defined(my $weight = <$visitor>)) {
                print {$visitor} ($weight < 2 ? "small" : $weight < 10 ? "medium" : "large"), "\n";
                $visitor->flush;
            }
        }
        exit 0;
    }
    my $self = bless { pid => $pid, port => $listener->sockport }, $class;
    close $listener;
    $self->settle;
    return $self;
}

# Gives the server time to come up.
sub settle { select undef, undef, undef, 0.45 }

sub ask {
    my ($self, $weight) = @_;
    my $line = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $self->{port}) or die "connect: $!";
    print {$line} "$weight\n";
    $line->flush;
    chomp(my $answer = <$line>);
    return $answer;
}

sub stop { my ($self) = @_; kill 'TERM', $self->{pid}; waitpid $self->{pid}, 0 }

1;
