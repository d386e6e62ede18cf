<?php
// The plants of a nursery.

function plants(int $count, int $season): array
{
    $plants = [];
    for ($n = 0; $n < $count; $n++) {
        $plants[] = [
            'family' => 'family-' . $n * 31 % 60,
            'name' => "Plant no. $n & its \"kind\" " . $n * 7919 % 1000,
            'price' => ($n * 13 + $season) % 900 / 10 + 1,
            'height' => $n * 7 % 300,
        ];
    }
    return $plants;
}

function families(array $plants): array
{
    $families = [];
    foreach ($plants as $plant) {
        $families[$plant['family']][] = $plant;
    }
    return $families;
}
