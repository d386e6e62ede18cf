<?php
// The site of a gannet colony: what the warden has seen.
$nests = ['north stack' => 412, 'the saddle' => 1208, 'old light' => 77];
$place = $_GET['place'] ?? 'the saddle';
header('Content-Type: text/plain');
if (!isset($nests[$place])) {
    http_response_code(404);
    echo "No gannets there.\n";
    return;
}
echo ucfirst($place), ': ', $nests[$place], " nests\n";
