<?php
// Prints stamps for parcels. There is one press, which a semaphore guards, as the envelopes are printed by another script.
function key_of_press(): int
{
    return (int) trim(file_get_contents('press.key'));
}

class Press
{
    private SysvSemaphore $turn;
    public float $waiting = 0.0;

    public function __construct(int $key)
    {
        $this->turn = sem_get($key, 1);
    }

    private function takePress(): void
    {
        $before = hrtime(true);
        sem_acquire($this->turn);
        $this->waiting += (hrtime(true) - $before) / 1e9;
    }

    public function printStamp(string $text): int
    {
        $this->takePress();
        file_put_contents('tray', $text . "\n", FILE_APPEND);
        sem_release($this->turn);
        return strlen($text);
    }

    public function remove(): void
    {
        sem_remove($this->turn);
    }
}

function stamp_for(int $parcel): string
{
    return sprintf('%05d %s %.2f', $parcel, substr(sha1((string) $parcel), 0, 10), 0.85 + $parcel % 7 * 0.6);
}

$press = new Press(key_of_press());
$start = hrtime(true);
$parcels = 0;
while (hrtime(true) - $start < 2e9) {
    $press->printStamp(stamp_for(++$parcels));
}
$wall = (hrtime(true) - $start) / 1e9;
$press->remove();
file_put_contents('truth', sprintf("share %.3f\nparcels %d\n", $press->waiting / $wall, $parcels));
