<?php
// Writes the list of tickets sold in a year.
$tickets = fopen('tickets.csv', 'w');
for ($n = 0; $n < 40000; $n++) {
    fwrite($tickets, sprintf("%06d;%s;%d;%s\n", $n, date('Y-m-d', 1735689600 + $n * 700), 800 + $n * 7 % 900, $n % 9 ? 'adult' : 'child'));
}
