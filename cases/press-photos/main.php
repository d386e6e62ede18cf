<?php
// Packs the pictures of a press agency, as they come in, into the archive of the day.
const SECONDS = 2.0;

function picture(int $number): string
{
    $data = '';
    for ($i = 0; $i < 120; $i++) {
        $data .= md5("$number/$i", true);
    }
    return $data;
}

function caption(int $number): string
{
    return sprintf('desk%d/%05d-%s.raw', $number % 7, $number, ['sport', 'politics', 'culture'][$number % 3]);
}

function add_photo(PharData $day, int $number): void
{
    $day->addFromString(caption($number), picture($number));
}

function main(): void
{
    $start = microtime(true);
    $archive = 0.0;
    $day = new PharData('day.tar');
    $number = 0;
    while (microtime(true) - $start < SECONDS) {
        $before = microtime(true);
        add_photo($day, $number++);
        $archive += microtime(true) - $before;
    }
    $whole = microtime(true) - $start;
    printf("%d pictures, %d bytes\n", $number, filesize('day.tar'));
    file_put_contents('truth', sprintf("share %.3f\npictures %d\n", $archive / ($whole + 0.03), $number));
}

main();
