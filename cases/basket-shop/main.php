<?php
// A web shop: each request finds the visitor's basket, changes it, and renders the page.
require __DIR__ . '/baskets.php';
require __DIR__ . '/page.php';

function serve(Baskets $baskets, int $request): string
{
    $visitor = sprintf('visitor-%05d', $request * 7919 % 6000);
    $basket = $baskets->open($visitor);
    $basket['items'][] = ['article' => $request * 31 % 500, 'count' => $request % 3 + 1];
    $basket['items'] = array_slice($basket['items'], -10);
    $baskets->save($visitor, $basket);
    return render_page($visitor, $basket);
}

$baskets = new Baskets('baskets');
$start = microtime(true);
$served = $bytes = 0;
while (microtime(true) - $start < 2) {
    $bytes += strlen(serve($baskets, $served++));
}
$wall = microtime(true) - $start;
file_put_contents('truth', sprintf("tidying %.3f\nserved %d\nbytes %d\n", Baskets::$tidying / $wall, $served, $bytes));
