<?php
// Makes the roster of a railway: all duties of all depots, in one list, sorted by their start.

function duties_of(int $depot): array
{
    $duties = [];
    for ($n = 0; $n < 40; $n++) {
        $duties[] = ['depot' => $depot, 'start' => ($depot * 7919 + $n * 31) % 86400, 'train' => $n * 13 % 900];
    }
    return $duties;
}

function all_duties(float $end): array
{
    global $joining;
    $all = [];
    for ($depot = 0; $depot < 6000 && microtime(true) < $end; $depot++) {
        $duties = duties_of($depot);
        $before = microtime(true);
        $all = array_merge($all, $duties);
        $joining += microtime(true) - $before;
    }
    return $all;
}

function write_roster(array $duties): void
{
    $lines = array_map(fn ($duty) => implode(';', $duty), array_slice($duties, 0, 20000));
    file_put_contents('roster.csv', implode("\n", $lines) . "\n");
}

ini_set('memory_limit', '1G');
$joining = 0;
$start = microtime(true);
$duties = all_duties($start + 2.5);
usort($duties, fn ($a, $b) => $a['start'] <=> $b['start']);
write_roster($duties);
$wall = microtime(true) - $start;
file_put_contents('truth', sprintf("joining %.3f\nduties %d\nwall %.2f\n", $joining / $wall, count($duties), $wall));
