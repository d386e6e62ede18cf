<?php
// Imports the guest list of a guesthouse. Notices become exceptions, as the house style wants it.
set_error_handler(function (int $level, string $message, string $file, int $line): bool {
    throw new ErrorException($message, 0, $level, $file, $line);
});

final class GuestRow
{
    public function __construct(private array $cells) {}

    public function get(string $name, mixed $default = null): mixed
    {
        try {
            return $this->cells[$name];
        } catch (ErrorException $e) {
            return $default;
        }
    }
}

final class Importer
{
    private const OPTIONAL = ['phone', 'mail', 'car', 'dog', 'diet', 'breakfast', 'late', 'company', 'tax', 'remark'];
    public int $guests = 0;
    public array $nights = [];

    public function import(array $cells): array
    {
        $row = new GuestRow($cells);
        $guest = ['name' => $row->get('name'), 'nights' => (int) $row->get('nights', 1)];
        foreach (self::OPTIONAL as $name) {
            $guest[$name] = $row->get($name, '');
        }
        $this->nights[$guest['name']] = ($this->nights[$guest['name']] ?? 0) + $guest['nights'];
        $this->guests++;
        return $guest;
    }
}

function rows(): Generator
{
    mt_srand(4);
    for (;;) {
        $cells = ['name' => 'guest ' . mt_rand(1, 3000), 'nights' => (string) mt_rand(1, 9)];
        if (mt_rand(0, 9) === 0) {
            $cells['dog'] = 'yes';
        }
        yield $cells;
    }
}

$importer = new Importer();
$until = microtime(true) + 2;
foreach (rows() as $cells) {
    $importer->import($cells);
    if (microtime(true) > $until) {
        break;
    }
}
echo $importer->guests, ' rows, ', count($importer->nights), " guests\n";
