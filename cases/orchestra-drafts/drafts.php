<?php
// Tries where the players of an orchestra sit best; each try works on a copy of the whole plan.

function seat_players(): array {
    $plan = [];
    for ($n = 0; $n < 90; $n++) {
        $plan[] = ["name" => "player $n", "section" => $n % 9, "seat" => ["row" => intdiv($n, 15), "place" => $n % 15],
            "instruments" => array_fill(0, 3, "instrument " . $n % 9), "needs" => ["light" => $n % 2, "stand" => $n % 3]];
    }
    return $plan;
}

$copying = 0.0;

function draft_of(array $plan): array {
    global $copying;
    $before = microtime(true);
    $draft = unserialize(serialize($plan));
    $copying += microtime(true) - $before;
    return $draft;
}

function distance(array $plan, int $one): int {
    $far = 0;
    for ($other = 0; $other < 9; $other++) $far += abs($plan[$one]["seat"]["row"] - $plan[$other]["seat"]["row"]);
    return $far;
}

$plan = seat_players();
$start = microtime(true);
$tries = 0;
while (microtime(true) < $start + 2.0) {
    $one = $tries * 7 % 90;
    $other = $tries * 13 % 90;
    $draft = draft_of($plan);
    [$draft[$one]["seat"], $draft[$other]["seat"]] = [$draft[$other]["seat"], $draft[$one]["seat"]];
    if (distance($draft, $one) < distance($plan, $one)) $plan = $draft;
    $tries++;
}
$wall = microtime(true) - $start;
file_put_contents("truth", sprintf("copying %.3f\ntries %d\n", $copying / $wall, $tries));
