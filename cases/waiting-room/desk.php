<?php
// The doctor's desk: works with the patient's session for a while, which stays locked meanwhile, as PHP does by default.
cli_set_process_title('desk');
file_put_contents('/proc/self/comm', 'desk');

function print_referral(): string
{
    usleep(120_000); // the printer
    return 'printed';
}

function serve_patient(): void
{
    session_id('patient4711');
    session_start(['use_cookies' => 0, 'cache_limiter' => '']);
    $_SESSION['referral'] = print_referral();
    session_write_close();
}

ini_set('session.save_path', getcwd());
touch('ready');
while (true) {
    serve_patient();
    usleep(4000);
}
