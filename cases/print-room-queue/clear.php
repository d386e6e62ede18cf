<?php
foreach ([0x51a1, 0x51a2] as $key) {
    if (msg_queue_exists($key)) {
        msg_remove_queue(msg_get_queue($key));
    }
}
