<?php
// Adds up the layers of ice cores by the half year in which the snow fell.
const SECONDS = 2.0;
const ZONES = ['Atlantic/Reykjavik', 'America/Nuuk', 'Europe/Oslo'];

function layers(int $core): array
{
    $all = [];
    for ($i = 0; $i < 500; $i++) {
        $all[] = [sprintf('%04d-%02d-%02d 12:00', 1900 + ($i * 7 + $core) % 120, 1 + $i % 12, 1 + $i % 28), 3 + $i % 9];
    }
    return $all;
}

function half_year(string $day, string $zone): string
{
    $when = new DateTimeImmutable($day, new DateTimeZone($zone));
    $spring = $when->modify('first monday of april');
    return $when->format('Y') . ($when < $spring ? ' winter' : ' summer');
}

function add_core(array $sums, int $core): array
{
    foreach (layers($core) as [$day, $width]) {
        $key = half_year($day, ZONES[$core % 3]);
        $sums[$key] = ($sums[$key] ?? 0) + $width;
    }
    return $sums;
}

$until = microtime(true) + SECONDS;
$sums = [];
$core = 0;
while (microtime(true) < $until) {
    $sums = add_core($sums, $core++);
}
printf("%d cores, %d half years\n", $core, count($sums));
