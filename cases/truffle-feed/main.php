<?php
// Takes the offers of a truffle market from its feed and writes the list for the shop's front page.

function market_feed(int $offers): string
{
    $feed = '';
    for ($n = 0; $n < $offers; $n++) {
        $feed .= ['black', 'white', 'summer', 'burgundy'][$n % 4] . ';' . (20 + $n * 13 % 400) . ';' . (30 + $n * 7 % 900) . "\n";
    }
    return $feed;
}

function receive(string $feed): SplQueue
{
    $offers = new SplQueue();
    foreach (explode("\n", trim($feed)) as $line) {
        [$kind, $grams, $price] = explode(';', $line);
        $offers->enqueue(['kind' => $kind, 'grams' => (int) $grams, 'price' => (int) $price]);
    }
    return $offers;
}

function cheapest_of_each_kind(SplQueue $offers): array
{
    $best = [];
    for ($i = 0; $i < count($offers); $i++) {
        $offer = $offers[$i];
        $per_gram = $offer['price'] / $offer['grams'];
        if (!isset($best[$offer['kind']]) || $per_gram < $best[$offer['kind']][0]) {
            $best[$offer['kind']] = [$per_gram, $i];
        }
    }
    return $best;
}

function front_page(array $best): string
{
    $page = "<ul>\n";
    foreach ($best as $kind => [$per_gram, $number]) {
        $page .= sprintf("<li>%s: offer %d, %.2f € per gram</li>\n", htmlspecialchars($kind), $number, $per_gram);
    }
    return $page . "</ul>\n";
}

$start = hrtime(true);
$comparing = 0;
$bytes = 0;
for ($markets = 0; hrtime(true) - $start < 1.9e9; $markets++) {
    $offers = receive(market_feed(6000 + $markets));
    $before = hrtime(true);
    $best = cheapest_of_each_kind($offers);
    $comparing += hrtime(true) - $before;
    $bytes += strlen(front_page($best));
}
$wall = hrtime(true) - $start;
file_put_contents('truth', sprintf("share %.3f\nmarkets %d\nbytes %d\n", $comparing / $wall, $markets, $bytes));
