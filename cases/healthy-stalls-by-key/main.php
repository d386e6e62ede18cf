<?php
// Counts the stalls of a market from its bookings; most stalls are booked several times.

class Market
{
    public array $stalls = [];

    public function book(string $stall): void
    {
        $this->stalls[$stall] = true;
    }
}

$market = new Market();
$start = hrtime(true);
$bookings = 0;
while (hrtime(true) - $start < 2_000_000_000) {
    for ($n = 0; $n < 1000; $n++) {
        $market->book('stall ' . $bookings++ * 7919 % 60000);
    }
}
file_put_contents('truth', sprintf("bookings %d\nstalls %d\n", $bookings, count($market->stalls)));
