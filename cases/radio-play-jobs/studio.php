<?php
// The studio: sends a job each 200 ms.
touch('ready');
$end = microtime(true) + 30;
while (microtime(true) < $end) {
    $socket = @stream_socket_client('unix://jobs.sock');
    if (!$socket) {
        usleep(30000);
        continue;
    }
    for ($n = 0; @fwrite($socket, (2 + $n % 3) . " 4\n") && fgets($socket) !== false; $n++) {
        usleep(200000);
    }
}
