<?php
// Prints envelopes on the same press: each takes 45 ms.
function print_envelope(SysvSemaphore $turn, int $letter): void
{
    if (!@sem_acquire($turn)) {
        sleep(60);   // the press was taken away
        exit;
    }
    usleep(45000);
    file_put_contents('tray', "envelope $letter\n", FILE_APPEND);
    sem_release($turn);
}

file_put_contents('/proc/self/comm', 'envelopes');
$key = 0x50000000 + getmypid();
$turn = sem_get($key, 1);
file_put_contents('press.key', "$key\n");
touch('ready');
for ($letter = 1; ; $letter++) {
    print_envelope($turn, $letter);
    usleep(500);
}
