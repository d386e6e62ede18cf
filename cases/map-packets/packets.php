<?php
// Packs the maps of three counties for download, each with one run of gzip.

function county_map(int $county): string
{
    $lines = [];
    $height = 100 + $county * 17;
    for ($n = 0; $n < 190000; $n++) {
        $height = ($height * 75 + 74) % 65537;
        $lines[] = $n . ',' . ($height % 977) . ',' . ($height % 613);
    }
    return implode("\n", $lines);
}

function write_map(string $path, string $map): int
{
    $bytes = file_put_contents($path, $map);
    if ($bytes !== strlen($map)) {
        fwrite(STDERR, "$path is not complete\n");
        exit(1);
    }
    return $bytes;
}

function pack_map(string $path): int
{
    exec('gzip -9 --force ' . escapeshellarg($path), $output, $code);
    if ($code !== 0) {
        fwrite(STDERR, "gzip failed for $path\n");
        exit(1);
    }
    clearstatcache();
    return filesize("$path.gz");
}

$start = microtime(true);
$packing = 0.0;
$catalogue = [];
foreach (['Northshire', 'Southshire', 'Westshire'] as $number => $county) {
    $path = strtolower($county) . '.csv';
    $size = write_map($path, county_map($number));
    $before = microtime(true);
    $packed = pack_map($path);
    $packing += microtime(true) - $before;
    $catalogue[] = sprintf('%-12s %9d %9d', $county, $size, $packed);
}
file_put_contents('catalogue.txt', implode("\n", $catalogue));
$children = getrusage(1);
$cpu = $children['ru_utime.tv_sec'] + $children['ru_utime.tv_usec'] / 1e6;
$wall = microtime(true) - $start;
file_put_contents('truth', sprintf("seconds %.3f\nseconds_packing %.3f\nchildren_cpu_seconds %.3f\n", $wall, $packing, $cpu));
