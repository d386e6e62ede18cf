<?php
// Exports the turnover of all tills of a market as a table.

function turnover(int $n): array {
    return [$n, 'till ' . ($n % 40), intdiv($n, 60) % 24, $n % 60, ($n * 37) % 9000 / 100];
}

function export_rows(string $path, float $seconds): int {
    $out = fopen($path, 'w');
    fputcsv($out, ['number', 'till', 'hour', 'minute', 'amount']);
    $end = microtime(true) + $seconds;
    $rows = 0;
    while ($rows % 1000 || microtime(true) < $end) {
        fputcsv($out, turnover($rows++));
        if ($rows % 400000 === 0) {
            ftruncate($out, 0);
            rewind($out);
        }
    }
    fclose($out);
    return $rows;
}

echo export_rows('turnover.csv', 2.0), " rows\n";
