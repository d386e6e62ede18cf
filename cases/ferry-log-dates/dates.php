<?php
// Adds up how late the ferries of ten years were, from a log with written dates.

function make_log(int $lines): array {
    $log = [];
    for ($n = 0; $n < $lines; $n++) {
        $due = 1100000000 + $n * 5400;
        $log[] = date("D, d M Y H:i:s", $due) . " +0000|" . date("D, d M Y H:i:s", $due + $n * 37 % 1900) . " +0000|" . $n % 11;
    }
    return $log;
}

$parsing = 0.0;

function minutes_late(string $due, string $left): float {
    global $parsing;
    $before = microtime(true);
    $late = strtotime($left) - strtotime($due);
    $parsing += microtime(true) - $before;
    return $late / 60;
}

function late_by_ferry(array $log, float $end): array {
    $late = array_fill(0, 11, 0.0);
    while (microtime(true) < $end) {
        foreach ($log as $line) {
            [$due, $left, $ferry] = explode("|", $line);
            $late[(int) $ferry] += minutes_late($due, $left);
        }
    }
    return $late;
}

$log = make_log(20000);
$start = microtime(true);
$late = late_by_ferry($log, $start + 2.0);
$wall = microtime(true) - $start;
file_put_contents("truth", sprintf("parsing %.3f\nminutes %.1f\n", $parsing / $wall, array_sum($late)));
