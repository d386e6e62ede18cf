# Balances the accounts of a ledger: reads all bookings once, adds them up by account and month, and writes a report that
# is synced once and renamed.
use strict;
use warnings;
use IO::Handle;
use Time::HiRes qw(time);

sub read_bookings {
    my ($path) = @_;
    my (%balance, $lines);
    open my $ledger, '<', $path or die "$path: $!";
    while (my $line = <$ledger>) {
        chomp $line;
        my ($day, $account, $cents, $text) = split /;/, $line;
        my $month = substr $day, 0, 7;
        $balance{$account}{$month} += $cents;
        $balance{$account}{refunds}++ if $text =~ /^refund\b/;
        $lines++;
    }
    close $ledger;
    return (\%balance, $lines);
}

sub write_report {
    my ($balance, $path) = @_;
    open my $report, '>', "$path.new" or die "$path.new: $!";
    for my $account (sort { $a <=> $b } keys %$balance) {
        my $months = $balance->{$account};
        my $refunds = delete $months->{refunds} // 0;
        my $sum = 0;
        for my $month (sort keys %$months) {
            $sum += $months->{$month};
            printf $report "%06d %s %12.2f %12.2f\n", $account, $month, $months->{$month} / 100, $sum / 100;
        }
        print $report "$account: $refunds refunds\n" if $refunds;
    }
    $report->flush;
    $report->sync;
    close $report;
    rename "$path.new", $path or die "$path: $!";
}

my $start = time;
my ($balance, $lines) = read_bookings('ledger.csv');
my $read = time;
write_report($balance, 'report.txt');
my $written = time;
open my $truth, '>', 'truth' or die "truth: $!";
printf $truth "bookings %d\naccounts %d\nreading %.2f\nreport %.2f\n", $lines, scalar keys %$balance, $read - $start,
    $written - $read;
close $truth;
