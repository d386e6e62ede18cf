<?php
// Rings the changes of a bell tower, and notes each stroke in the tower's log.

$noting = 0.0;

function note_stroke(int $bell, int $stroke): void {
    global $noting;
    $before = microtime(true);
    error_log("stroke $stroke: bell $bell\n", 3, "tower.log");
    $noting += microtime(true) - $before;
}

function next_row(array $row, bool $odd): array {
    for ($place = $odd ? 1 : 0; $place + 1 < count($row); $place += 2) {
        [$row[$place], $row[$place + 1]] = [$row[$place + 1], $row[$place]];
    }
    return $row;
}

$start = microtime(true);
$row = range(1, 12);
$strokes = 0;
for ($rows = 0; microtime(true) < $start + 2.0; $rows++) {
    foreach ($row as $bell) note_stroke($bell, ++$strokes);
    $row = next_row($row, $rows % 2 === 1);
}
$wall = microtime(true) - $start;
file_put_contents("truth", sprintf("noting %.3f\nstrokes %d\n", $noting / $wall, $strokes));
