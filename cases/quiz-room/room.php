<?php
// Shows the questions of a quiz as the quiz master sends them.

$start = microtime(true);
$looks = 0;

function next_question($room): ?string {
    global $looks;
    while (true) {
        $looks++;
        $line = fgets($room);
        if ($line !== false) return trim($line);
        if (feof($room)) return null;
    }
}

$room = stream_socket_client("unix://master.sock");
stream_set_blocking($room, false);
$questions = 0;
while (($question = next_question($room)) !== null) {
    $questions++;
    file_put_contents("board.txt", "$questions. $question\n");
}
$wall = microtime(true) - $start;
$used = getrusage();
$cpu = $used["ru_utime.tv_sec"] + $used["ru_stime.tv_sec"] + ($used["ru_utime.tv_usec"] + $used["ru_stime.tv_usec"]) / 1e6;
file_put_contents("truth", sprintf("cpu %.3f\nlooks %d\nquestions %d\n", $cpu / $wall, $looks, $questions));
