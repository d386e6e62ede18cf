<?php
// Makes a list of the ships in port, with what the register knows about each.
$waited = 0;

function look_up_ship(int $port, string $name): array
{
    global $waited;
    $context = stream_context_create(['http' => [
        'protocol_version' => '1.1',
        'header' => "Accept: application/json\r\nConnection: keep-alive\r\n",
    ]]);
    $before = hrtime(true);
    $answer = file_get_contents("http://127.0.0.1:$port/$name", false, $context);
    $waited += hrtime(true) - $before;
    return json_decode($answer, true);
}

function list_line(array $ship): string
{
    return sprintf("%-12s %s %6d t\n", $ship['ship'], $ship['flag'], $ship['tons']);
}

$port = (int) file_get_contents('port');
$names = ['Fram', 'Gjoa', 'Maud', 'Belgica', 'Endurance', 'Nimrod'];
$start = hrtime(true);
$list = '';
for ($n = 0; hrtime(true) - $start < 2e9; $n++) {
    $list .= list_line(look_up_ship($port, $names[$n % count($names)]));
}
$wall = hrtime(true) - $start;
file_put_contents('truth', sprintf("share %.3f\nships %d\nbytes %d\n", $waited / $wall, $n, strlen($list)));
