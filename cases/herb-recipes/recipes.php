<?php
// Finds the heads of recipes in a herb book: words with spaces or hyphens in between, and a colon.
function make_book(int $pages): array {
    $book = [];
    for ($n = 0; $n < $pages; $n++) {
        $book[] = "sage and thyme $n:";
        $book[] = "a handful of leaves: dry them as on page $n";
    }
    return $book;
}

$matching = 0.0;

function is_head(string $line): bool {
    global $matching;
    $before = microtime(true);
    $head = preg_match('/^(\w+[ -]?)+:$/', $line) === 1;
    $matching += microtime(true) - $before;
    return $head;
}

$book = make_book(4000);
$start = microtime(true);
$heads = 0;
$lines = 0;
while (microtime(true) < $start + 2.0) {
    if (is_head($book[$lines % count($book)])) $heads++;
    $lines++;
}
$wall = microtime(true) - $start;
file_put_contents("truth", sprintf("matching %.3f\nlines %d\nheads %d\n", $matching / $wall, $lines, $heads));
