<?php
// Imports the guests of a hotel: reads a table once, checks and groups it, and writes the result in large blocks.

final class BlockWriter {
    private string $buffer = '';

    public function __construct(private $file) {}

    public function line(string $text): void {
        $this->buffer .= $text . "\n";
        if (strlen($this->buffer) >= 262144) {
            $this->flush();
        }
    }

    public function flush(): void {
        fwrite($this->file, $this->buffer);
        $this->buffer = '';
    }
}

function check(array $row): bool {
    return count($row) === 4 && ctype_digit($row[0]) && (int) $row[3] > 0;
}

$in = fopen('guests.csv', 'r');
$out = new BlockWriter(fopen('guests.out', 'w'));
$nights = [];
$rows = 0;
while (($line = fgets($in)) !== false) {
    $row = explode(';', rtrim($line));
    if (!check($row)) {
        continue;
    }
    [$id, $name, $country, $stay] = $row;
    $nights[$country] = ($nights[$country] ?? 0) + (int) $stay;
    $out->line("$id\t" . ucwords(strtolower($name)) . "\t$country\t$stay");
    $rows++;
}
$out->flush();
arsort($nights);
echo "$rows guests, most nights from ", array_key_first($nights), "\n";
