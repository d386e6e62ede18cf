# Plans the lamps of a stage; each cue gets its own copy of all lamps, of which it changes two.
use strict;
use warnings;
use Storable qw(dclone);
use Time::HiRes qw(time);

sub hang_lamps {
    return { map { ("lamp$_" => { bar => $_ % 8, colour => [$_ % 255, 40, 90], gobo => { name => "leaf$_", turn => 0 }, dimmer => 0 }) } 1 .. 400 };
}

my $copying = 0;

sub cue_from {
    my ($lamps) = @_;
    my $before = time;
    my $cue = dclone($lamps);
    $copying += time - $before;
    return $cue;
}

my $lamps = hang_lamps();
my ($start, $cues, $light) = (time, 0, 0);
while (time < $start + 2) {
    my $cue = cue_from($lamps);
    $cue->{'lamp' . (1 + $cues % 400)}{dimmer} = 80;
    $cue->{'lamp' . (1 + $cues * 7 % 400)}{gobo}{turn} = 45;
    $light += $cue->{lamp1}{dimmer};
    $lamps = $cue;
    $cues++;
}
open(my $truth, '>', 'truth') or die $!;
printf $truth "copying %.3f\ncues %d\nlight %d\n", $copying / (time - $start), $cues, $light;
