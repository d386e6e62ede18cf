<?php
// Puts the stamp "PAID" on the scanned lines of an invoice book.

function invoice_lines(int $book): array
{
    $lines = [];
    for ($n = 1; $n <= 250; $n++) {
        $lines[] = sprintf('%04d-%03d;%d.%02d', $book, $n, ($n * 37) % 900, ($n * 11) % 100);
    }
    return $lines;
}

/** Keeps the stamped line in a file of its own until it is complete, as the old stamping machine did. */
function stamp_line(string $folder, string $line): string
{
    $scratch = tempnam($folder, 'stamp');
    file_put_contents($scratch, $line);
    file_put_contents($scratch, ';PAID', FILE_APPEND);
    $stamped = file_get_contents($scratch);
    unlink($scratch);
    return $stamped;
}

function total(array $lines): float
{
    $sum = 0.0;
    foreach ($lines as $line) {
        [, $amount, $state] = explode(';', $line);
        if ($state === 'PAID') {
            $sum += (float) $amount;
        }
    }
    return $sum;
}

mkdir('scratch');
$start = microtime(true);
$stamping = 0.0;
$stamped = 0;
$sum = 0.0;
for ($book = 1; microtime(true) - $start < 2.2; $book++) {
    $lines = [];
    foreach (invoice_lines($book) as $line) {
        $before = microtime(true);
        $lines[] = stamp_line('scratch', $line);
        $stamping += microtime(true) - $before;
        $stamped++;
    }
    file_put_contents('book.csv', implode("\n", $lines));
    $sum += total($lines);
}
$wall = microtime(true) - $start;
printf("%d lines, %.2f paid\n", $stamped, $sum);
file_put_contents('truth', sprintf("seconds %.3f\nseconds_stamping %.3f\nlines %d\n", $wall, $stamping, $stamped));
