<?php
// Renders the catalogue of a nursery as static pages: one per family of plants, and an index.
require __DIR__ . '/plants.php';

function page(string $family, array $plants): string
{
    ob_start();
    ?>
<html><head><title><?= htmlspecialchars($family) ?></title></head><body>
<h1><?= htmlspecialchars($family) ?></h1>
<table>
<?php foreach ($plants as $plant): ?>
<tr><td><?= htmlspecialchars($plant['name']) ?></td><td><?= number_format($plant['price'], 2) ?></td><td><?= $plant['height'] ?> cm</td></tr>
<?php endforeach ?>
</table></body></html>
<?php
    return ob_get_clean();
}

function season(int $number): int
{
    $bytes = 0;
    $families = families(plants(6000, $number));
    ksort($families);
    $index = [];
    foreach ($families as $family => $plants) {
        usort($plants, fn ($a, $b) => $a['price'] <=> $b['price']);
        $page = page($family, $plants);
        $index[] = sprintf('%-20s %5d plants from %.2f', $family, count($plants), $plants[0]['price']);
        $bytes += strlen($page);
        if ($number === 0) {
            file_put_contents("$family.html", $page);
        }
    }
    if ($number === 0) {
        file_put_contents('index.txt', implode("\n", $index) . "\n");
    }
    return $bytes;
}

$start = microtime(true);
$seasons = $bytes = 0;
while (microtime(true) - $start < 1.8) {
    $bytes += season($seasons++);
}
$wall = microtime(true) - $start;
$used = getrusage();
$cpu = $used['ru_utime.tv_sec'] + $used['ru_utime.tv_usec'] / 1e6;
file_put_contents('truth', sprintf("user %.3f\nseasons %d\nbytes %d\n", $cpu / $wall, $seasons, $bytes));
