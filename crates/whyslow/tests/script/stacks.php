<?php
// Says where it is, and waits or computes there. Its argument is how often it does all that.

function name(array $entry): string
{
    return isset($entry['class']) ? "{$entry['class']}::{$entry['function']}" : $entry['function'];
}

function say(string $kind): void
{
    $entries = debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS);
    $frames = [];
    foreach ($entries as $n => $entry) {
        // What PHP itself calls, and its own functions, have no place.
        if (isset($entry['file'])) {
            $caller = isset($entries[$n + 1]) ? name($entries[$n + 1]) : '{main}';
            $frames[] = "$caller:{$entry['file']}:{$entry['line']}";
        }
    }
    echo "$kind ", implode("\t", $frames), "\n";
}

function pause(): void { say('wait'); usleep(5000); }

function spin(): void { say('cpu'); $end = hrtime(true) + 20_000_000; $n = 0; do { for ($i = 0; $i < 500; $i++) { $n += $i; } } while (hrtime(true) < $end); }

class Ledger
{
    public function post(int $depth): void
    {
        if ($depth === 0) {
            pause();
            return;
        }
        $this->post($depth - 1);
    }

    public static function open(): self
    {
        pause();
        return new self();
    }

    public function __call(string $name, array $arguments): void
    {
        pause();
    }

    public function __toString(): string
    {
        pause();
        return 'ledger';
    }

    public function closure(): callable
    {
        return function () {
            pause();
            spin();
        };
    }
}

function numbers(): iterable
{
    pause();
    yield 1;
    spin();
    yield 2;
}

function caught(): void
{
    try {
        throw new Exception('no');
    } catch (Exception $e) {
        pause();
    } finally {
        spin();
    }
}

function mapped(): void
{
    $squares = array_map(function ($x) {
        pause();
        return $x * $x;
    }, [3]);
    usort($squares, fn ($a, $b) => 0);
    array_walk($squares, 'visited');
}

function visited(int $square): void
{
    spin();
}

for ($round = 0; $round < (int) $argv[1]; $round++) {
    $ledger = Ledger::open();
    $ledger->post(3);
    $ledger->post(300);
    $ledger->anything();
    "$ledger";
    $ledger->closure()();
    foreach (numbers() as $number) {
        $number++;
    }
    caught();
    mapped();
    fflush(STDOUT);
}
