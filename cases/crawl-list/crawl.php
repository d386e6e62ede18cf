<?php
// Walks through the pages of a town's archive from page to page, and notes how far each is from the entrance.
declare(strict_types=1);

final class Archive
{
    public function __construct(private int $pages)
    {
    }

    /** @return int[] */
    public function linksOf(int $page): array
    {
        $links = [];
        for ($i = 1; $i <= 4; $i++) {
            $links[] = ($page * 4 + $i) % $this->pages;
        }
        return $links;
    }

    public function titleOf(int $page): string
    {
        return sprintf('Folder %d, sheet %d', intdiv($page, 100), $page % 100);
    }
}

final class Walker
{
    /** @var int[] */
    private array $queue = [];
    /** @var array<int,int> */
    private array $distance = [];
    private int $letters = 0;

    public function __construct(private Archive $archive)
    {
    }

    private function nextPage(): ?int
    {
        return array_shift($this->queue);
    }

    private function visit(int $page): void
    {
        $this->letters += strlen($this->archive->titleOf($page));
        foreach ($this->archive->linksOf($page) as $link) {
            if (!isset($this->distance[$link])) {
                $this->distance[$link] = $this->distance[$page] + 1;
                $this->queue[] = $link;
            }
        }
    }

    public function walk(float $until): void
    {
        $this->queue = [0];
        $this->distance = [0 => 0];
        while (($page = $this->nextPage()) !== null && microtime(true) < $until) {
            $this->visit($page);
        }
    }

    public function report(): string
    {
        return sprintf('%d pages seen, up to %d away, %d letters', count($this->distance), max($this->distance), $this->letters);
    }
}

$walker = new Walker(new Archive(1_000_000));
$walker->walk(microtime(true) + 2.0);
echo $walker->report(), "\n";
