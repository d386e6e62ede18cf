<?php
// Builds the posts of a kitchen's blog; under each post are links to related ones.

function load_posts(int $count): array {
    mt_srand(12);
    $tags = [];
    for ($i = 0; $i < 400; $i++) {
        $tags[] = 'tag-' . md5((string) $i);
    }
    $posts = [];
    for ($i = 0; $i < $count; $i++) {
        $mine = [];
        for ($k = 0; $k < 12; $k++) {
            $mine[] = $tags[mt_rand(0, 399)];
        }
        $posts[] = ['id' => $i, 'title' => "Recipe $i", 'tags' => $mine, 'text' => str_repeat("Stir and wait. ", 60)];
    }
    return $posts;
}

function related_posts(array $post, array $posts): array {
    $scores = [];
    foreach ($posts as $other) {
        if ($other['id'] !== $post['id']) {
            $common = count(array_intersect($post['tags'], $other['tags']));
            if ($common > 0) {
                $scores[$other['id']] = $common;
            }
        }
    }
    arsort($scores);
    return array_slice(array_keys($scores), 0, 5);
}

function render_post(array $post, array $related): string {
    $html = '<h1>' . htmlspecialchars($post['title']) . '</h1><p>' . htmlspecialchars($post['text']) . '</p><ul>';
    foreach ($related as $id) {
        $html .= "<li><a href=\"$id.html\">Recipe $id</a></li>";
    }
    return $html . '</ul>';
}

$started = microtime(true);
$posts = load_posts(1500);
@mkdir('site');
$searching = 0.0;
$built = 0;
foreach ($posts as $post) {
    if (microtime(true) - $started > 2.0) {
        break;
    }
    $before = microtime(true);
    $related = related_posts($post, $posts);
    $searching += microtime(true) - $before;
    file_put_contents("site/{$post['id']}.html", render_post($post, $related));
    $built++;
}
file_put_contents('truth', sprintf("share %.2f\nposts %d\n", $searching / (microtime(true) - $started), $built));
echo "$built of ", count($posts), " posts\n";
