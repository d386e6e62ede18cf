<?php
// Draws the labels of a vineyard with three workers. The counter of the labels is in a file.
function withLock(string $file, callable $job): mixed
{
    $lock = fopen($file, 'c+');
    flock($lock, LOCK_EX);
    try {
        return $job($lock);
    } finally {
        flock($lock, LOCK_UN);
        fclose($lock);
    }
}

function nextNumber($file): int
{
    $number = (int) stream_get_contents($file, null, 0) + 1;
    ftruncate($file, 0);
    rewind($file);
    fwrite($file, (string) $number);
    return $number;
}

function drawLabel(int $number): string
{
    $sum = (string) $number;
    $until = hrtime(true) + 30_000_000;
    while (hrtime(true) < $until) {
        $sum = hash('sha256', $sum);
    }
    return $sum;
}

function worker(int $id, float $until): void
{
    while (microtime(true) < $until) {
        $label = withLock('labels.count', function ($file) use ($id) {
            return drawLabel(nextNumber($file));
        });
        file_put_contents("labels-$id.txt", "$label\n", FILE_APPEND);
    }
}

$until = microtime(true) + 1.9;
$children = [];
for ($id = 0; $id < 3; $id++) {
    $pid = pcntl_fork();
    if ($pid === 0) {
        worker($id, $until);
        exit(0);
    }
    $children[] = $pid;
}
foreach ($children as $pid) {
    pcntl_waitpid($pid, $status);
}
echo 'labels: ', file_get_contents('labels.count'), "\n";
