<?php
// Exports all orders of a visitor. Started by the shop in the background.
file_put_contents('/proc/self/comm', 'export');
ini_set('session.save_path', getcwd());
ini_set('session.use_cookies', '0');
session_id('visitor17');
session_start();
$_SESSION['exports'] = ($_SESSION['exports'] ?? 0) + 1;
touch('ready');

function order_lines(int $order): int
{
    $sum = 0;
    for ($line = 0; $line < 2000; $line++) {
        $sum += crc32("$order;$line;" . $line * 7 % 90);
    }
    return $sum;
}

$end = microtime(true) + 2;
for ($order = 0, $sum = 0; microtime(true) < $end; $order++) {
    $sum ^= order_lines($order);
}
file_put_contents('orders.txt', "$order orders, $sum\n");
session_write_close();
