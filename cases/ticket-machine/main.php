<?php
// Sells tickets of a museum: each ticket gets the time of its sale as its number.

final class Machine
{
    private int $last = 0;
    public float $waited = 0.0;

    /** A number that no other ticket has. */
    public function number(): string
    {
        $before = microtime(true);
        while (time() === $this->last) {
            usleep(20000);
        }
        $this->waited += microtime(true) - $before;
        $this->last = time();
        return date('ymdHis', $this->last);
    }

    public function sell(int $guest): string
    {
        $number = $this->number();
        $seal = $number;
        for ($round = 0; $round < 20000; $round++) {
            $seal = hash('sha256', $seal . $guest);
        }
        return $number . '-' . substr($seal, 0, 8);
    }
}

$start = microtime(true);
$machine = new Machine();
$lines = [];
for ($guest = 0; $guest < 3; $guest++) {
    $lines[] = $machine->sell($guest);
}
file_put_contents('tickets.txt', implode("\n", $lines) . "\n");
$wall = microtime(true) - $start + 0.03;
file_put_contents('truth', sprintf("share %.2f\n", $machine->waited / $wall));
echo implode("\n", $lines), "\n";
