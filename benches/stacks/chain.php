<?php
// The chains of chain.c in PHP: sorting with a callback, JSON, regular expressions.
function compute($seed) {
    $numbers = range(0, 700);
    usort($numbers, fn($a, $b) => ($a * 7919 + $seed) % 701 <=> ($b * 7919 + $seed) % 701);
    $text = json_encode(array_map(fn($i) => ["a" => $i, "b" => [$i, strval($i)]], array_slice($numbers, 0, 300)));
    return strlen(preg_replace_callback("/[0-9]+/", fn($found) => strlen($found[0]), $text));
}
function wait_a_little() { usleep(700); }
function bottom_0() { compute(0); wait_a_little(); }
function bottom_1() { compute(1); wait_a_little(); }
function bottom_2() { compute(2); wait_a_little(); }
function bottom_3() { compute(3); wait_a_little(); }
function bottom_4() { compute(4); wait_a_little(); }
function bottom_5() { compute(5); wait_a_little(); }
function bottom_6() { compute(6); wait_a_little(); }
function bottom_7() { compute(7); wait_a_little(); }
function turn_8($n) { $bottom = "bottom_$n"; $bottom(); }
function left_7($n) { turn_8($n); }
function right_7($n) { turn_8($n); }
function left_6($n) { if ($n >> (7 % 3) & 1) right_7($n); else left_7($n); }
function right_6($n) { if ($n >> (7 % 3) & 1) right_7($n); else left_7($n); }
function left_5($n) { if ($n >> (6 % 3) & 1) right_6($n); else left_6($n); }
function right_5($n) { if ($n >> (6 % 3) & 1) right_6($n); else left_6($n); }
function left_4($n) { if ($n >> (5 % 3) & 1) right_5($n); else left_5($n); }
function right_4($n) { if ($n >> (5 % 3) & 1) right_5($n); else left_5($n); }
function left_3($n) { if ($n >> (4 % 3) & 1) right_4($n); else left_4($n); }
function right_3($n) { if ($n >> (4 % 3) & 1) right_4($n); else left_4($n); }
function left_2($n) { if ($n >> (3 % 3) & 1) right_3($n); else left_3($n); }
function right_2($n) { if ($n >> (3 % 3) & 1) right_3($n); else left_3($n); }
function left_1($n) { if ($n >> (2 % 3) & 1) right_2($n); else left_2($n); }
function right_1($n) { if ($n >> (2 % 3) & 1) right_2($n); else left_2($n); }
function left_0($n) { if ($n >> (1 % 3) & 1) right_1($n); else left_1($n); }
function right_0($n) { if ($n >> (1 % 3) & 1) right_1($n); else left_1($n); }
function work($until) {
    for ($n = 0; microtime(true) < $until; $n++) {
        if ($n & 1) right_0($n % 8); else left_0($n % 8);
    }
}
work(microtime(true) + floatval($argv[1] ?? 1));
