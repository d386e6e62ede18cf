<?php
// Looks for members that were entered twice, under names that are nearly the same.

function member(int $n): string
{
    $first = ['Annegret', 'Bartholomew', 'Clementine', 'Dietrich', 'Eleonore', 'Ferdinand'];
    $towns = ['Rothenburg', 'Quedlinburg', 'Wernigerode', 'Stralsund', 'Meersburg'];
    return $first[$n % 6] . ' ' . $first[$n * 7 % 5] . '-' . substr(md5((string) $n), 0, 9) . ', ' . $towns[$n % 5] . ', Street ' . $n * 31 % 97;
}

function alike(string $one, string $other): bool
{
    global $comparing;
    $before = microtime(true);
    similar_text($one, $other, $percent);
    $comparing += microtime(true) - $before;
    return $percent > 92;
}

$comparing = 0;
$start = microtime(true);
$members = array_map('member', range(1, 4000));
$doubles = $pairs = 0;
foreach ($members as $n => $one) {
    for ($m = 0; $m < $n && microtime(true) - $start < 2; $m++, $pairs++) {
        $doubles += alike($one, $members[$m]);
    }
}
$wall = microtime(true) - $start;
file_put_contents('truth', sprintf("share %.3f\npairs %d\ndoubles %d\n", $comparing / $wall, $pairs, $doubles));
