<?php
// Collects the stalls of all villages for a fair: each village sends a short list.

function stalls_of(int $village): array
{
    return ["cheese $village", "honey $village", "baskets $village"];
}

function add_stalls(array $fair, array $stalls): array
{
    return array_merge($fair, $stalls);
}

function collect(int $villages, float $end): array
{
    $fair = [];
    for ($village = 0; $village < $villages && ($village % 50 || microtime(true) < $end); $village++) {
        $fair = add_stalls($fair, stalls_of($village));
    }
    return $fair;
}

$end = microtime(true) + 2.0;
$stalls = 0;
while (microtime(true) < $end) {
    $stalls += count(collect(20000, $end));
}
echo "$stalls stalls\n";
