<?php
// The page of a guest book; its widget with the latest entries comes from the site's own address.
if (str_starts_with($_SERVER['REQUEST_URI'], '/api/latest')) {
    header('Content-Type: application/json');
    echo json_encode(['entries' => ['Lovely place!', 'See you next year.']]);
    return;
}

function latest_entries(): array {
    $url = 'http://127.0.0.1:' . $_SERVER['SERVER_PORT'] . '/api/latest';
    $context = stream_context_create(['http' => ['timeout' => 0.5]]);
    $body = @file_get_contents($url, false, $context);
    return $body === false ? [] : json_decode($body, true)['entries'];
}

function render_page(array $entries): string {
    $items = '';
    foreach ($entries as $entry) {
        $items .= '<li>' . htmlspecialchars($entry) . '</li>';
    }
    return "<h1>Guest book</h1><ul>$items</ul>";
}

echo render_page(latest_entries());
