<?php
// Makes the repayment tables of a savings bank: one row per month, and the months until each loan is paid back.

function monthly_rate(float $sum, float $interest, int $months): float
{
    $factor = $interest / 12;
    return $sum * $factor / (1 - (1 + $factor) ** -$months);
}

function table(float $sum, float $interest, int $months): array
{
    $rate = monthly_rate($sum, $interest, $months);
    $left = $sum;
    $paid = 0.0;
    for ($month = 1; $month <= $months; $month++) {
        $share = $left * $interest / 12;
        $left -= $rate - $share;
        $paid += $share;
    }
    return [$rate, $paid, $left];
}

function best_offer(float $sum, int $months): array
{
    $best = [INF, 0.0];
    for ($points = 250; $points <= 450; $points += 10) {
        [$rate, $paid] = table($sum, $points / 10000, $months);
        $total = $paid + 900 - $points * 1.5;
        if ($total < $best[0]) {
            $best = [$total, $rate];
        }
    }
    return $best;
}

$end = microtime(true) + 2.0;
$loans = 0;
$sum = 0.0;
while (microtime(true) < $end) {
    [$cost, $rate] = best_offer(50000 + $loans % 400 * 500, 60 + $loans % 241);
    $sum += $rate;
    $loans++;
}
printf("%d loans, %.2f a month on average\n", $loans, $sum / $loans);
