<?php
// The baskets of a shop's visitors, one file each. A basket that nobody has touched for a day is thrown away.

class Baskets
{
    public static float $tidying = 0;

    public function __construct(private string $folder)
    {
    }

    public function open(string $visitor): array
    {
        $this->tidy();
        $path = "$this->folder/$visitor.json";
        return is_file($path) ? json_decode(file_get_contents($path), true) : ['items' => []];
    }

    public function save(string $visitor, array $basket): void
    {
        file_put_contents("$this->folder/$visitor.json", json_encode($basket));
    }

    private function tidy(): void
    {
        $before = microtime(true);
        clearstatcache();
        foreach (scandir($this->folder) as $name) {
            $path = "$this->folder/$name";
            if ($name[0] !== '.' && filemtime($path) < time() - 86400) {
                unlink($path);
            }
        }
        self::$tidying += microtime(true) - $before;
    }
}
