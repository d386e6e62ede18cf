<?php
// Takes over the pictures of cameos from a collector: two of the same name must not overwrite each other.

const SHELF = 'shelf';

function pictures(int $count): Generator
{
    $motifs = ['minerva', 'eagle', 'lady', 'lady', 'lady', 'lady'];
    for ($n = 0; $n < $count; $n++) {
        yield [$motifs[$n * 5 % 6], str_repeat(chr(65 + $n % 26), 200)];
    }
}

function free_name(string $motif): string
{
    $path = SHELF . "/$motif.png";
    for ($n = 2; file_exists($path); $n++) {
        $path = SHELF . "/$motif-$n.png";
    }
    return $path;
}

function store(string $motif, string $data): float
{
    $before = microtime(true);
    $path = free_name($motif);
    $took = microtime(true) - $before;
    file_put_contents($path, $data);
    return $took;
}

$start = microtime(true);
mkdir(SHELF);
$searching = 0.0;
$stored = 0;
foreach (pictures(100000) as [$motif, $data]) {
    if (microtime(true) - $start > 2.0) {
        break;
    }
    $searching += store($motif, $data);
    $stored++;
}
$share = $searching / (microtime(true) - $start);
file_put_contents('truth', sprintf("share %.3f\nstored %d\n", $share, $stored));
