<?php
// Prices the journeys of a travel agency with the railway's fare server.

function connect_railway(): mixed
{
    $railway = stream_socket_client('unix://fares.sock', $code, $message, 5);
    if (!$railway) {
        fwrite(STDERR, "$message\n");
        exit(1);
    }
    return $railway;
}

function ask_fare($railway, string $from, string $to): int
{
    fwrite($railway, "$from $to\n");
    return (int) fgets($railway);
}

function journeys(int $count): array
{
    $journeys = [];
    for ($i = 0; $i < $count; $i++) {
        $journeys[] = ['from' => 'S' . ($i * 13 % 200), 'to' => 'S' . (1000 + 150 + $i * 11 % 140), 'people' => 1 + $i % 4];
    }
    return $journeys;
}

$railway = connect_railway();
$start = microtime(true);
$asked = 0.0;
$total = 0;
$priced = 0;
$invoice = fopen('invoice.csv', 'w');
while (microtime(true) - $start < 2.0) {
    foreach (journeys(8) as $journey) {
        $before = microtime(true);
        $cents = ask_fare($railway, $journey['from'], $journey['to']);
        $asked += microtime(true) - $before;
        $total += $cents * $journey['people'];
        fputcsv($invoice, [...$journey, $cents], ',', '"', '');
        $priced++;
    }
}
fclose($invoice);
$wall = microtime(true) - $start;
printf("%d journeys, %.2f\n", $priced, $total / 100);
file_put_contents('truth', sprintf("share_of_main %.3f\njourneys %d\n", $asked / $wall, $priced));
