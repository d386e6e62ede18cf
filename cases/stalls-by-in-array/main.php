<?php
// Counts the stalls of a market from its bookings; most stalls are booked several times.

class Market
{
    public float $looked = 0.0;
    public array $stalls = [];

    public function book(string $stall): void
    {
        if ($this->isNew($stall)) {
            $this->stalls[] = $stall;
        }
    }

    private function isNew(string $stall): bool
    {
        $before = hrtime(true);
        $found = in_array($stall, $this->stalls, true);
        $this->looked += hrtime(true) - $before;
        return !$found;
    }
}

$market = new Market();
$start = hrtime(true);
$bookings = 0;
while (hrtime(true) - $start < 2_000_000_000) {
    $market->book('stall ' . $bookings++ * 7919 % 60000);
}
$share = $market->looked / (hrtime(true) - $start);
file_put_contents('truth', sprintf("share %.3f\nbookings %d\nstalls %d\n", $share, $bookings, count($market->stalls)));
