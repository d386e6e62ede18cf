<?php
// The patient's page: shows which number is being called.
$waited = 0.0;

function open_session(): void
{
    global $waited;
    $before = hrtime(true);
    session_id('patient4711');
    session_start(['use_cookies' => 0, 'cache_limiter' => '']);
    $waited += hrtime(true) - $before;
}

function show_page(int $number): string
{
    open_session();
    $_SESSION['pages'] = ($_SESSION['pages'] ?? 0) + 1;
    $page = "<h1>Number $number</h1><p>You have looked {$_SESSION['pages']} times.</p>";
    session_write_close();
    return $page;
}

ini_set('session.save_path', getcwd());
$start = hrtime(true);
$pages = 0;
$size = 0;
while (hrtime(true) - $start < 2e9) {
    $size += strlen(show_page($pages++));
}
$wall = hrtime(true) - $start;
file_put_contents('truth', sprintf("share %.3f\npages %d\nbytes %d\n", $waited / $wall, $pages, $size));
