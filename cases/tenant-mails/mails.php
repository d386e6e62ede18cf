<?php
// Tells the tenants of a housing company when their meters will be read.
function tenants(): Generator
{
    $streets = ['Mill Lane', 'Harbour Road', 'Station Street'];
    for ($n = 1; ; $n++) {
        yield ['mail' => "tenant$n@houses.example", 'name' => "Tenant $n", 'street' => $streets[$n % 3], 'day' => $n % 28 + 1];
    }
}

function letter(array $t): string
{
    return "Dear {$t['name']},\n\nthe meters in {$t['street']} will be read on day {$t['day']} between 8 and 12.\n";
}

function notify(array $t): bool
{
    return mail($t['mail'], 'Your meters', letter($t), "From: office@houses.example");
}

$until = microtime(true) + 2.0;
$sent = 0;
foreach (tenants() as $t) {
    $sent += (int) notify($t);
    if (microtime(true) > $until) {
        break;
    }
}
echo "$sent letters\n";
