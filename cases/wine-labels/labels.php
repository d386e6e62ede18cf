<?php
// Prints the labels of a wine merchant, each with a check number against forgeries.

class Bottle
{
    public function __construct(
        public readonly string $estate,
        public readonly int $year,
        public readonly int $number,
    ) {
    }

    public function text(): string
    {
        return sprintf('%s %d / %05d', $this->estate, $this->year, $this->number);
    }
}

function cellar(int $rack): array
{
    $estates = ['Castle Hill', 'Old Mill', 'River Bend', 'Monastery'];
    $bottles = [];
    for ($n = 0; $n < 12; $n++) {
        $bottles[] = new Bottle($estates[$n % 4], 1990 + ($rack + $n) % 30, $rack * 12 + $n);
    }
    return $bottles;
}

function check_number(string $text): string
{
    $sum = shell_exec('printf %s ' . escapeshellarg($text) . ' | cksum');
    return explode(' ', trim((string) $sum))[0];
}

function label(Bottle $bottle): string
{
    return sprintf("+%s+\n|%-30s|\n|%30s|\n+%s+\n", str_repeat('-', 30), $bottle->text(), check_number($bottle->text()), str_repeat('-', 30));
}

$start = microtime(true);
$printed = 0;
$sheet = fopen('labels.txt', 'w');
for ($rack = 0; microtime(true) - $start < 2.2; $rack++) {
    foreach (cellar($rack) as $bottle) {
        fwrite($sheet, label($bottle));
        $printed++;
    }
}
fclose($sheet);
$own = getrusage();
$own_seconds = $own['ru_utime.tv_sec'] + $own['ru_utime.tv_usec'] / 1e6;
file_put_contents('truth', sprintf("labels %d\nown_user_seconds %.2f\n", $printed, $own_seconds));
