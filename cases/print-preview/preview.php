<?php
// Shows a preview of each page of a form. A renderer of its own draws them.

function render_page(int $page): string
{
    $end = microtime(true) + 0.006;
    for ($ink = 0; microtime(true) < $end;) {
        $ink = ($ink * 31 + $page) % 65521;
    }
    return "page $page with ink $ink\n";
}

if (($argv[1] ?? '') === 'renderer') {
    while (($line = fgets(STDIN)) !== false) {
        fwrite(STDOUT, render_page((int) $line));
    }
    exit(0);
}

function read_page($pages): string
{
    global $slept;
    while (($line = fgets($pages)) === false) {
        $before = microtime(true);
        usleep(60000);
        $slept += microtime(true) - $before;
    }
    return $line;
}

$slept = 0;
$renderer = proc_open([PHP_BINARY, __FILE__, 'renderer'], [['pipe', 'r'], ['pipe', 'w']], $pipes);
stream_set_blocking($pipes[1], false);
$start = microtime(true);
for ($page = 1, $shown = 0; microtime(true) - $start < 2; $page++) {
    fwrite($pipes[0], "$page\n");
    $shown += strlen(read_page($pipes[1])) > 0;
}
$wall = microtime(true) - $start;
fclose($pipes[0]);
proc_close($renderer);
file_put_contents('truth', sprintf("share %.3f\npages %d\n", $slept / $wall, $shown));
