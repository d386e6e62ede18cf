# Follows the log of a web shop, as tail -f does, and adds the sales up.
use strict;
use warnings;
use IO::Handle;
use Time::HiRes qw(time sleep);

sub new_lines {
    my ($log) = @_;
    $log->clearerr;
    return <$log>;
}

sub wait_for_sales {
    sleep 0.25;
}

sub add_sale {
    my ($sums, $line) = @_;
    $sums->{euros} += $1, $sums->{sales}++ if $line =~ /^sale \d+ (\d+)$/;
}

my $start = time;
open my $log, '<', 'sales.log' or die "sales.log: $!";
my %sums = (sales => 0, euros => 0);
my $looks = 0;
while (time - $start < 2.2) {
    add_sale(\%sums, $_) for new_lines($log);
    $looks++;
    wait_for_sales();
}
open my $truth, '>', 'truth' or die "truth: $!";
printf $truth "looks %d\nsales %d\neuros %d\n", $looks, @sums{qw(sales euros)};
close $truth;
