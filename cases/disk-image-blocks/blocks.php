<?php
// Makes a table of the blocks of a disk image, by the offset at which each begins, and finds the ones that changed.
const BLOCK = 65536;

$adding = 0.0;

function note_block(array &$blocks, int $number): void {
    $blocks[$number * BLOCK] = crc32("block $number of the image");
}

function changed_blocks(array $blocks, array $numbers): int {
    $changed = 0;
    foreach ($numbers as $number) {
        if ($blocks[$number * BLOCK] !== crc32("block " . $number % 999 . " of the image")) $changed++;
    }
    return $changed;
}

$start = microtime(true);
$blocks = [];
for ($number = 0; $number < 60000 && microtime(true) < $start + 2.0; $number++) {
    note_block($blocks, $number);
}
$adding = microtime(true) - $start;
$changed = changed_blocks($blocks, range(1, 300));
$wall = microtime(true) - $start;
file_put_contents("truth", sprintf("adding %.3f\nblocks %d\nchanged %d\n", $adding / $wall, count($blocks), $changed));
