<?php
// The press of a print room: takes an order, prints for 4 ms, and sends the receipt.
$in = msg_get_queue(0x51a1);
$out = msg_get_queue(0x51a2);
touch('ready');
while (true) {
    if (!msg_receive($in, 0, $type, 1000, $order)) {
        exit(0);
    }
    usleep(4000);
    msg_send($out, 1, "printed $order");
}
