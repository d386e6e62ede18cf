# The fax gateway: takes what lies in out/ and leaves a receipt in sent/.
use strict;
use warnings;
use Time::HiRes qw(sleep);

mkdir $_ for 'out', 'sent';
open my $ready, '>', 'ready' or die $!;
close $ready;
while (1) {
    for my $fax (glob 'out/*.fax') {
        my ($name) = $fax =~ m{out/(.*)\.fax};
        unlink $fax;
        sleep 0.02;
        open my $receipt, '>', "sent/$name.new" or die $!;
        print $receipt "$name: 1 page, ok\n";
        close $receipt;
        rename "sent/$name.new", "sent/$name.receipt";
    }
    sleep 0.01;
}
