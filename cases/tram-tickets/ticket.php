<?php
$passenger = (int) $argv[1];
printf("Ticket %04d, zone %d, %.2f Euro\n", $passenger, $passenger % 4 + 1, 1.5 + $passenger % 4 * 0.7);
