<?php
// Works off the orders of a ticket office: each is booked, its ticket is drawn, and its state noted on disk.
declare(strict_types=1);

final class Spool
{
    /** @var resource */
    private $states;
    /** @var resource */
    private $journal;

    public function __construct(string $folder)
    {
        @mkdir($folder);
        $this->states = fopen("$folder/states.dat", 'c+b');
        $this->journal = fopen("$folder/journal.log", 'ab');
    }

    public function setState(int $order, string $state): void
    {
        fseek($this->states, $order * 16);
        fwrite($this->states, str_pad($state, 15) . "\n");
        fsync($this->states);
    }

    public function note(int $order, string $text): void
    {
        fwrite($this->journal, sprintf("%06d %s\n", $order, $text));
        fdatasync($this->journal);
    }
}

final class Office
{
    private int $sold = 0;

    public function __construct(private Spool $spool)
    {
    }

    private function draw(int $order): string
    {
        $seed = $order * 2654435761 % 4294967296;
        $rows = [];
        for ($y = 0; $y < 48; $y++) {
            $row = '';
            for ($x = 0; $x < 64; $x++) {
                $seed = ($seed * 1664525 + 1013904223) % 4294967296;
                $row .= $seed > 2147483648 ? '#' : ' ';
            }
            $rows[] = $row;
        }
        return implode("\n", $rows);
    }

    public function work(int $order): void
    {
        $this->spool->setState($order, 'booked');
        $ticket = $this->draw($order);
        $this->spool->note($order, 'ticket ' . hash('sha256', $ticket));
        $this->spool->setState($order, 'printed');
        $this->sold++;
    }

    public function sold(): int
    {
        return $this->sold;
    }
}

$office = new Office(new Spool('spool'));
$end = microtime(true) + 2.0;
for ($order = 0; microtime(true) < $end; $order++) {
    $office->work($order);
}
printf("%d tickets\n", $office->sold());
