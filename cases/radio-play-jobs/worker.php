<?php
// A worker that mixes jingles: waits for jobs on a Unix socket, does each at once, and ends after the given time.
function mix(int $seconds, int $voices): string
{
    $samples = array_fill(0, $seconds * 200, 0.0);
    for ($voice = 1; $voice <= $voices; $voice++) {
        foreach ($samples as $i => $value) {
            $samples[$i] = $value + sin($i * $voice / 50.0) / $voice;
        }
    }
    return md5(implode(',', array_map(fn ($s) => (string) round($s, 3), $samples)));
}

function answer($client): bool
{
    $line = fgets($client);
    if ($line === false) {
        return false;
    }
    [$seconds, $voices] = array_map('intval', explode(' ', $line));
    fwrite($client, mix($seconds, $voices) . "\n");
    return true;
}

@unlink('jobs.sock');
$server = stream_socket_server('unix://jobs.sock');
$clients = [];
$end = microtime(true) + (float) $argv[1];
$jobs = 0;
while (($left = $end - microtime(true)) > 0) {
    $ready = [$server, ...$clients];
    $none = null;
    if (!stream_select($ready, $none, $none, (int) $left, (int) (($left - (int) $left) * 1e6))) {
        continue;
    }
    foreach ($ready as $stream) {
        if ($stream === $server) {
            $clients[] = stream_socket_accept($server);
        } elseif (answer($stream)) {
            $jobs++;
        } else {
            unset($clients[array_search($stream, $clients, true)]);
        }
    }
}
echo "$jobs jobs\n";
