<?php
// Works out rebates by rules that shops write themselves; a rule may use no more than 50 ms of CPU time.
class LimitReached extends Exception {}

class Meter
{
    private float $limit;

    public function __construct(float $seconds)
    {
        $this->limit = self::used() + $seconds;
    }

    private static function used(): float
    {
        $u = getrusage();
        return $u['ru_utime.tv_sec'] + $u['ru_utime.tv_usec'] / 1e6 + $u['ru_stime.tv_sec'] + $u['ru_stime.tv_usec'] / 1e6;
    }

    public function step(): void
    {
        if (self::used() > $this->limit) {
            throw new LimitReached();
        }
    }
}

/** A rule is a list: an operator and its operands, a name, or a number. */
function evaluate($rule, array $order, Meter $meter): float
{
    $meter->step();
    if (is_string($rule)) {
        return (float) ($order[$rule] ?? 0);
    }
    if (!is_array($rule)) {
        return (float) $rule;
    }
    switch ($rule[0]) {
        case '+': return evaluate($rule[1], $order, $meter) + evaluate($rule[2], $order, $meter);
        case '*': return evaluate($rule[1], $order, $meter) * evaluate($rule[2], $order, $meter);
        case 'min': return min(evaluate($rule[1], $order, $meter), evaluate($rule[2], $order, $meter));
        case 'if': return evaluate($rule[1], $order, $meter) > 0 ? evaluate($rule[2], $order, $meter) : evaluate($rule[3], $order, $meter);
    }
    throw new LogicException("unknown: {$rule[0]}");
}

function order(int $n): array
{
    return ['sum' => 20 + $n * 7 % 400, 'pieces' => $n % 9 + 1, 'regular' => $n % 3 - 1, 'years' => $n % 12];
}

$rule = ['if', 'regular', ['min', 15, ['+', ['*', 'sum', 0.03], ['*', 'years', 0.5]]], ['min', 5, ['*', ['+', 'sum', ['*', 'pieces', 2]], 0.01]]];
$begin = hrtime(true);
$orders = 0;
$total = 0;
while (hrtime(true) - $begin < 2e9) {
    $meter = new Meter(0.05);
    for ($i = 0; $i < 20; $i++) {
        $total += evaluate($rule, order($orders++), $meter);
    }
}
printf("%d orders, %.2f\n", $orders, $total);
