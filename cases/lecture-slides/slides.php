<?php
// Makes the previews of a lecture's slides: reads the strokes of each, draws them on a canvas, and shrinks it.
const WIDTH = 6000;
const HEIGHT = 4000;

function strokes(int $slide): array
{
    $list = [];
    for ($i = 0; $i < 120; $i++) {
        $list[] = [($slide * 37 + $i * 91) % (WIDTH - 400), ($slide * 53 + $i * 67) % HEIGHT, 40 + $i % 300];
    }
    return $list;
}

function new_canvas(): string
{
    return str_repeat("\xff", WIDTH * HEIGHT);
}

function draw(array $strokes): string
{
    $canvas = new_canvas();
    foreach ($strokes as [$x, $y, $length]) {
        $at = $y * WIDTH + $x;
        for ($i = 0; $i < $length; $i++) {
            $canvas[$at + $i] = "\x20";
        }
    }
    return $canvas;
}

function shrink(string $canvas): string
{
    $small = '';
    for ($y = 0; $y < HEIGHT; $y += 40) {
        for ($x = 0; $x < WIDTH; $x += 40) {
            $small .= $canvas[$y * WIDTH + $x];
        }
    }
    return $small;
}

$begin = hrtime(true);
$slides = 0;
$sum = 0;
while (hrtime(true) - $begin < 2e9) {
    $sum ^= crc32(shrink(draw(strokes($slides++))));
}
echo "$slides slides, $sum\n";
