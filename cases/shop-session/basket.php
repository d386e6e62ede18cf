<?php
// Shows the basket of a visitor.
ini_set('session.save_path', getcwd());
ini_set('session.use_cookies', '0');

function open_session(string $visitor): float
{
    session_id($visitor);
    $before = microtime(true);
    session_start();
    return microtime(true) - $before;
}

function render_basket(): string
{
    $rows = [];
    foreach (range(1, 40) as $article) {
        $rows[] = sprintf('<tr><td>Article %d</td><td>%.2f</td></tr>', $article, $article * 1.19);
    }
    return '<table>' . implode("\n", $rows) . '</table>';
}

$start = microtime(true);
$waited = open_session('visitor17');
$_SESSION['seen'] = time();
file_put_contents('basket.html', render_basket());
session_write_close();
file_put_contents('truth', sprintf("share %.3f\n", $waited / (microtime(true) - $start)));
