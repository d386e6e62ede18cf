<?php
// Looks for a fair roster of a ward by simulated annealing, for the two seconds that its argument says.
const NURSES = 24;
const DAYS = 28;

function first_roster(): array
{
    $roster = [];
    for ($n = 0; $n < NURSES; $n++) {
        for ($d = 0; $d < DAYS; $d++) {
            $roster[$n * DAYS + $d] = ($n + $d) % 4;    // free, early, late, night
        }
    }
    return $roster;
}

/** What is unpleasant about the month of one nurse. */
function burden(array $roster, int $nurse): int
{
    $sum = $nights = $row = 0;
    $base = $nurse * DAYS;
    for ($d = 0; $d < DAYS; $d++) {
        $shift = $roster[$base + $d];
        if ($shift === 0) {
            $row = 0;
            continue;
        }
        $row++;
        if ($row > 5) {
            $sum += ($row - 5) * 3;
        }
        if ($shift === 3) {
            $nights++;
            if ($d + 1 < DAYS && $roster[$base + $d + 1] === 1) {
                $sum += 20;
            }
        }
    }
    return $sum + ($nights > 6 ? ($nights - 6) ** 2 : 0);
}

function anneal(array $roster, float $until): array
{
    mt_srand(11);
    $burdens = [];
    for ($n = 0; $n < NURSES; $n++) {
        $burdens[$n] = burden($roster, $n);
    }
    $tries = 0;
    $heat = 12.0;
    while (($tries & 255) || microtime(true) < $until) {
        $tries++;
        $heat = max(0.2, $heat * 0.99998);
        $day = mt_rand(0, DAYS - 1);
        $a = mt_rand(0, NURSES - 1);
        $b = mt_rand(0, NURSES - 1);
        $i = $a * DAYS + $day;
        $j = $b * DAYS + $day;
        if ($roster[$i] === $roster[$j]) {
            continue;
        }
        [$roster[$i], $roster[$j]] = [$roster[$j], $roster[$i]];
        $na = burden($roster, $a);
        $nb = burden($roster, $b);
        $worse = $na + $nb - $burdens[$a] - $burdens[$b];
        if ($worse <= 0 || mt_rand() / mt_getrandmax() < exp(-$worse / $heat)) {
            $burdens[$a] = $na;
            $burdens[$b] = $nb;
        } else {
            [$roster[$i], $roster[$j]] = [$roster[$j], $roster[$i]];
        }
    }
    return [$roster, array_sum($burdens), $tries];
}

[$roster, $burden, $tries] = anneal(first_roster(), microtime(true) + (float) ($argv[1] ?? 2));
echo "$tries exchanges tried, burden $burden\n";
