<?php
// Looks for headings in scanned ballads: words in capitals, perhaps with points between them, up to a colon or a semicolon.

function is_heading(string $line): bool
{
    return preg_match('/^(?:[A-Z]+[ .]?)+[:;]$/', $line) === 1;
}

function lines(int $count): array
{
    $lines = [];
    for ($n = 0; $n < $count; $n++) {
        $lines[] = match ($n % 4) {
            0 => "CHORUS OF THE SAILORS:",
            1 => "and the waves rolled high on day $n",
            2 => "SEE THE OLD SONG BOOK $n",
            default => "O THE RAGING DEEP BLUE",
        };
    }
    return $lines;
}

$start = microtime(true);
ini_set('pcre.jit', '0');
ini_set('pcre.backtrack_limit', '100000000');
$headings = 0;
$read = 0;
$matching = 0.0;
foreach (lines(100000) as $line) {
    if (microtime(true) - $start > 2.0) {
        break;
    }
    $before = microtime(true);
    if (is_heading(trim($line))) {
        $headings++;
    }
    $matching += microtime(true) - $before;
    $read++;
}
$share = $matching / (microtime(true) - $start);
file_put_contents('truth', sprintf("share %.3f\nread %d\nheadings %d\n", $share, $read, $headings));
