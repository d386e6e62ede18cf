<?php
// Plans convoys through a long road tunnel: heavy lorries keep their distance from each other.
const SECONDS = 2.0;

final class Lorry
{
    public function __construct(public int $weight, public string $plate) {}
}

function arrivals(int $count): SplDoublyLinkedList
{
    $line = new SplDoublyLinkedList();
    mt_srand(12);
    for ($i = 0; $i < $count; $i++) {
        $line->push(new Lorry(mt_rand(3, 40), sprintf('LU %05d', $i)));
    }
    return $line;
}

function gap(SplDoublyLinkedList $line, int $place): int
{
    $before = $line[$place - 1];
    $lorry = $line[$place];
    return $before->weight > 30 && $lorry->weight > 30 ? 150 : 50;
}

function length_of(SplDoublyLinkedList $line, float $until): int
{
    $metres = 0;
    for ($i = 1; $i < count($line); $i++) {
        $metres += gap($line, $i) + 12;
        if (microtime(true) > $until) {
            break;
        }
    }
    return $metres;
}

$until = microtime(true) + SECONDS;
$nights = 0;
do {
    $metres = length_of(arrivals(16000), $until);
    $nights++;
} while (microtime(true) < $until);
printf("%d nights, the last one with %d m\n", $nights, $metres);
