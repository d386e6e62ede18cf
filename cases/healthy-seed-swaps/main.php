<?php
// Matches gardeners who swap seeds: everyone gets the offer whose names are most like what is wanted.
const SECONDS = 2.0;
const SORTS = ['Cherokee Purple', 'Green Zebra', 'Black Krim', 'Brandywine', 'San Marzano', 'Moneymaker', 'Ox Heart'];

function gardeners(int $town): array
{
    $all = [];
    for ($i = 0; $i < 24; $i++) {
        $all[] = [
            'name' => "gardener $i of town $town",
            'offers' => SORTS[($i * 5 + $town) % 7] . ' ' . (1990 + $i),
            'wants' => SORTS[($i * 3 + $town) % 7] . ' ' . (1990 + ($i + $town) % 24),
        ];
    }
    return $all;
}

function likeness(string $one, string $other): float
{
    return 1 - levenshtein($one, $other) / max(strlen($one), strlen($other));
}

function match_town(array $gardeners): float
{
    $total = 0.0;
    foreach ($gardeners as $taker) {
        $best = 0.0;
        foreach ($gardeners as $giver) {
            if ($giver['name'] !== $taker['name']) {
                $best = max($best, likeness($giver['offers'], $taker['wants']));
            }
        }
        $total += $best;
    }
    return $total / count($gardeners);
}

$until = microtime(true) + SECONDS;
$town = 0;
$sum = 0.0;
while (microtime(true) < $until) {
    $sum += match_town(gardeners($town++));
}
printf("%d towns, mean likeness %.3f\n", $town, $sum / $town);
