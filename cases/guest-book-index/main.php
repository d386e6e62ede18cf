<?php
// Makes an index of the words in a guest book.

function entries(): Generator
{
    for ($i = 0; ; $i++) {
        yield 'lovely stay no ' . ($i * 7919 % 90001) . ' with view ' . ($i * 31 % 5003) . ' and cake ' . ($i % 701);
    }
}

function with_word(array $index, string $word, int $entry): array
{
    $index[$word] = ($index[$word] ?? 0) + $entry % 3;
    return $index;
}

function index_entry(array $index, string $entry, int $number): array
{
    foreach (explode(' ', $entry) as $word) {
        $index = with_word($index, $word, $number);
    }
    return $index;
}

$end = microtime(true) + 2.0;
$index = [];
$number = 0;
foreach (entries() as $entry) {
    if (microtime(true) > $end) {
        break;
    }
    $index = index_entry($index, $entry, $number++);
}
printf("%d entries, %d words\n", $number, count($index));
