# Says where it is, and waits or computes there. Its argument is how often it does all that.
use strict;
use warnings;
use FindBin;
use List::Util qw(first);
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);
use lib $FindBin::Bin;

sub say_where {
    my ($kind) = @_;
    my @frames;
    my $n = 0;
    while (my (undef, $file, $line) = caller($n++)) {
        my $name = '<main>';
        # An eval belongs to the subroutine that it is in; the place of its text is its own.
        while (my (undef, $eval_file, $eval_line, $sub, undef, undef, $text, $is_required) = caller($n)) {
            $name = $is_required ? '<top (required)>' : $sub;
            last if $name ne '(eval)';
            ($name, $file, $line) = ('<main>', defined $text ? ($eval_file, $eval_line) : ($file, $line));
            $n++;
        }
        push @frames, "$name:$file:$line";
    }
    print "$kind ", join("\t", @frames), "\n";
}

sub pause { say_where('wait'); select(undef, undef, undef, 0.005) }

sub spin { say_where('cpu'); my $end = clock_gettime(CLOCK_MONOTONIC) + 0.02; my $n = 0; while ($n % 500 || clock_gettime(CLOCK_MONOTONIC) < $end) { $n++ } }

package Ledger {
    sub new { return bless { name => 'ledger' }, shift }

    sub post {
        my ($self, $depth) = @_;
        if ($depth == 0) {
            main::pause();
            return;
        }
        $self->post($depth - 1);
    }

    sub AUTOLOAD {
        main::pause();
    }

    sub DESTROY {
        main::pause();
        eval { main::spin() };
    }

    use overload '""' => sub {
        main::pause();
        return 'ledger';
    };
}

package Ledger::Tied {
    sub TIESCALAR { return bless {}, shift }

    sub FETCH {
        main::pause();
        return 7;
    }
}

sub closure {
    my ($amount) = @_;
    return sub {
        pause();
        spin();
        return $amount;
    };
}

sub caught {
    eval {
        pause();
        die "no\n";
    };
    eval { eval { spin() } };
    eval '
        pause();
        1' or die;
    local $SIG{__DIE__} = sub {
        pause();
    };
    eval { die 'no' };
}

sub mapped {
    my @squares = map {
        pause();
        $_ * $_
    } 3;
    my @sorted = sort {
        pause();
        $a <=> $b
    } 1, 2;
    @sorted = sort by_number 2, 1;
    first {
        spin();
        1
    } 1, 2;
}

sub by_number {
    pause();
    return $a <=> $b;
}

sub replaced {
    my $text = 'x';
    $text =~ s/x/pause(); 'y'/e;
    tie my $tied, 'Ledger::Tied';
    return "$tied";
}

sub jumps {
    goto &pause;
}

for my $round (1 .. $ARGV[0]) {
    my $ledger = Ledger->new;
    $ledger->post(3);
    $ledger->post(300);
    $ledger->anything;
    "$ledger" eq '' and die;
    closure($round)->();
    caught();
    mapped();
    replaced();
    jumps();
    delete $INC{'StacksModule.pm'};
    { no warnings 'redefine'; require StacksModule }
    undef $ledger;
    STDOUT->flush;
}
