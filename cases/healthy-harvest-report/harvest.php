<?php
// The report of a harvest: the weight of each field, day by day.

function read_weights(string $name): array
{
    $weights = [];
    $file = fopen($name, 'r');
    while (($line = fgets($file)) !== false) {
        [$field, $day, $kilos] = explode(';', $line);
        $weights[] = [$field, (int) $day, (int) $kilos];
    }
    fclose($file);
    return $weights;
}

function grouped(array $weights, int $column): array
{
    $sums = [];
    foreach ($weights as $weight) {
        $key = $weight[$column];
        $sums[$key] = ($sums[$key] ?? 0) + $weight[2];
    }
    arsort($sums);
    return $sums;
}

function spread(array $weights, float $mean): float
{
    $sum = 0.0;
    foreach ($weights as [, , $kilos]) {
        $sum += ($kilos - $mean) ** 2;
    }
    return sqrt($sum / count($weights));
}

ini_set('memory_limit', '1G');
$weights = read_weights('weights.csv');
$page = '';
foreach ([0, 1] as $column) {
    foreach (grouped($weights, $column) as $key => $sum) {
        $page .= "$key $sum\n";
    }
}
$mean = array_sum(array_column($weights, 2)) / count($weights);
usort($weights, fn ($a, $b) => $b[2] <=> $a[2]);
$page .= sprintf("mean %.1f, spread %.1f, best %s\n", $mean, spread($weights, $mean), $weights[0][0]);
file_put_contents('harvest.txt', $page);
