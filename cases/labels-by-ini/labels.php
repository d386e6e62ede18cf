<?php
// Renders the forms of a town hall in the language of each visitor, whose words are kept in a settings file.

function write_words(string $file): void {
    $lines = ["[welsh]"];
    for ($n = 0; $n < 400; $n++) $lines[] = "label$n = \"gair rhif $n\"";
    file_put_contents($file, implode("\n", $lines) . "\n");
}

$loading = 0.0;

function word(string $label): string {
    global $loading;
    $before = microtime(true);
    $words = parse_ini_file("words.ini", true);
    $loading += microtime(true) - $before;
    return $words["welsh"][$label] ?? $label;
}

function render_form(int $visitor): string {
    $form = "<form id=\"f$visitor\">";
    for ($field = 0; $field < 20; $field++) {
        $form .= "<label>" . word("label" . ($visitor * 7 + $field) % 400) . "</label><input name=\"f$field\">";
    }
    return $form . "</form>";
}

write_words("words.ini");
$start = microtime(true);
$size = 0;
$forms = 0;
while (microtime(true) < $start + 2.0) {
    $size += strlen(render_form($forms++));
}
$wall = microtime(true) - $start;
file_put_contents("truth", sprintf("loading %.3f\nforms %d\nsize %d\n", $loading / $wall, $forms, $size));
