<?php
declare(ticks=1);
// Computes how high the dikes of a coast must be, section by section.

final class Budget
{
    private float $end;
    public int $checks = 0;

    public function __construct(float $seconds)
    {
        $this->end = microtime(true) + $seconds;
    }

    public function check(): void
    {
        $this->checks++;
        if (microtime(true) > $this->end) {
            throw new RuntimeException('the time is over');
        }
    }
}

function wave(int $section, int $year): float
{
    $height = 0.0;
    for ($storm = 0; $storm < 12; $storm++) {
        $wind = ($section * 31 + $year * 17 + $storm * 7) % 29;
        $depth = 2 + ($section + $storm) % 5;
        $height = max($height, sqrt($wind * $depth) * 0.4);
    }
    return $height;
}

function section_height(int $section): float
{
    $needed = 0.0;
    for ($year = 0; $year < 100; $year++) {
        $needed = max($needed, wave($section, $year));
    }
    return $needed;
}

$budget = new Budget(2.0);
register_tick_function([$budget, 'check']);
$sum = 0.0;
$section = 0;
try {
    while (true) {
        $sum += section_height($section);
        $section++;
    }
} catch (RuntimeException $over) {
    unregister_tick_function([$budget, 'check']);
}
printf("%d sections, %.1f m on average, %d checks\n", $section, $sum / max(1, $section), $budget->checks);
