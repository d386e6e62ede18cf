<?php
// A little web server for a parish's site; it serves for as many seconds as its argument says.

function render(string $path): string {
    mt_srand(crc32($path));
    $rows = [];
    for ($i = 0; $i < 2000; $i++) {
        $rows[] = [mt_rand(0, 23), mt_rand(0, 59), ['mass', 'choir', 'vigil', 'lesson'][mt_rand(0, 3)]];
    }
    sort($rows);
    $html = "<h1>$path</h1><table>";
    foreach ($rows as [$hour, $minute, $what]) {
        $html .= sprintf('<tr><td>%02d:%02d</td><td>%s</td></tr>', $hour, $minute, $what);
    }
    return $html . '</table>';
}

function answer(string $request): string {
    $path = explode(' ', $request, 3)[1];
    $body = render($path);
    return "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: " . strlen($body) . "\r\n\r\n" . $body;
}

$end = microtime(true) + (float) $argv[1];
$door = stream_socket_server('tcp://127.0.0.1:18533');
$lines = [];
$served = 0;
while (($left = $end - microtime(true)) > 0) {
    $read = $lines;
    $read[] = $door;
    $write = $except = null;
    if (!stream_select($read, $write, $except, (int) $left, (int) (fmod($left, 1) * 1e6))) {
        break;
    }
    foreach ($read as $line) {
        if ($line === $door) {
            $lines[] = stream_socket_accept($door);
            continue;
        }
        $request = fread($line, 8192);
        if ($request === '' || $request === false) {
            unset($lines[array_search($line, $lines, true)]);
            fclose($line);
            continue;
        }
        fwrite($line, answer($request));
        $served++;
    }
}
echo "$served pages\n";
