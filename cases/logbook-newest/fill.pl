# Writes the logbook of a ship's last voyage.
use strict;
use warnings;
open my $log, '>', 'logbook.txt' or die;
print $log "day $_: wind " . ($_ * 7 % 12) . ", course " . ($_ * 31 % 360) . ", all well on board\n" for reverse 1 .. 60000;
close $log;
