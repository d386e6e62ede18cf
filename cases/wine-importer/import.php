<?php
// Takes price offers of wine merchants from a queue, and fits them into the catalogue.
class Region { public array $wines = []; public function __construct(public string $name) {} }
class Vintage { public function __construct(public Wine $wine, public int $year, public float $price) {} }
class Wine {
    public array $vintages = [];
    public function __construct(public string $name, public Region $region) {}
}

function load_catalogue(int $count): array
{
    $regions = [];
    for ($i = 0; $i < 60; $i++) {
        $regions[] = new Region("region $i");
    }
    $wines = [];
    for ($i = 0; $i < $count; $i++) {
        $w = new Wine("wine $i", $regions[$i % 60]);
        $regions[$i % 60]->wines[] = $w;
        for ($year = 2015; $year < 2021; $year++) {
            $w->vintages[$year] = new Vintage($w, $year, 5 + ($i * 7 + $year) % 90);
        }
        $wines[$w->name] = $w;
    }
    return $wines;
}

function next_job(int $n, int $count): array
{
    $offers = [];
    for ($i = 0; $i < 200; $i++) {
        $offers[] = ['wine' => 'wine ' . ($n * 977 + $i * 31) % $count, 'year' => 2015 + ($i + $n) % 6, 'price' => 4 + ($n + $i * 3) % 95];
    }
    return $offers;
}

function fit_offers(array $wines, array $offers): int
{
    $better = 0;
    foreach ($offers as $o) {
        $vintage = $wines[$o['wine']]->vintages[$o['year']];
        $others = array_map(fn ($w) => $w->vintages[$o['year']]->price, array_slice($vintage->wine->region->wines, 0, 8));
        if ($o['price'] < $vintage->price && $o['price'] <= array_sum($others) / count($others)) {
            $vintage->price = $o['price'];
            $better++;
        }
    }
    return $better;
}

function after_job(): void
{
    // a worker must not grow
    gc_collect_cycles();
}

$begin = hrtime(true);
$count = 40000;
$wines = load_catalogue($count);
$jobs = $better = $cleaning = 0;
while (hrtime(true) - $begin < 2.1e9) {
    $better += fit_offers($wines, next_job($jobs++, $count));
    $t = hrtime(true);
    after_job();
    $cleaning += hrtime(true) - $t;
}
echo "$jobs jobs, $better better prices\n";
file_put_contents('truth', sprintf("share %.3f\n", $cleaning / (hrtime(true) - $begin)));
