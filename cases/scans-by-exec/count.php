<?php
// Counts the lines of the minutes of all meetings, for their table of contents.

for ($n = 0; $n < 600; $n++) file_put_contents("minutes-$n.txt", str_repeat("The chair thanked everybody.\n", 3 + $n % 40));

$counting = 0.0;

function lines_of(string $file): int {
    global $counting;
    $before = microtime(true);
    $lines = (int) exec("wc -l < " . escapeshellarg($file));
    $counting += microtime(true) - $before;
    return $lines;
}

$start = microtime(true);
$all = 0;
for ($n = 0; $n < 600 && microtime(true) < $start + 2.0; $n++) $all += lines_of("minutes-$n.txt");
$wall = microtime(true) - $start;
file_put_contents("truth", sprintf("counting %.3f\nfiles %d\nlines %d\n", $counting / $wall, $n, $all));
