<?php
// Reads recipes, which are written in a small language, into tokens, and adds their ingredients up.
const TOKENS = '~\G(?:(?<space>\s+)|(?<number>\d+(?:\.\d+)?)|(?<unit>g|ml|spoons?)\b|(?<word>[a-z]+)|(?<mark>[,;:()]))~';

function write_recipe(int $number): string
{
    $words = ['flour', 'butter', 'sugar', 'milk', 'yeast', 'salt', 'nuts'];
    $text = "recipe: cake ($number);\n";
    for ($n = 0; $n < 300; $n++) {
        $text .= ($n * 7 % 400 + 1) . ['g', 'ml', 'spoons'][$n % 3] . ' ' . $words[($n + $number) % 7] . ",\n";
    }
    return $text;
}

function tokens(string $text): Generator
{
    for ($at = 0; $at < strlen($text); $at += strlen($match[0])) {
        if (!preg_match(TOKENS, $text, $match, PREG_UNMATCHED_AS_NULL, $at)) {
            throw new Exception("What is at $at?");
        }
        if ($match['space'] === null) {
            yield $match;
        }
    }
}

function add_ingredients(string $recipe, array &$sums): int
{
    $amount = 0;
    $count = 0;
    foreach (tokens($recipe) as $token) {
        $count++;
        if ($token['number'] !== null) {
            $amount = (float) $token['number'];
        } elseif ($token['word'] !== null) {
            $sums[$token['word']] = ($sums[$token['word']] ?? 0) + $amount;
        }
    }
    return $count;
}

$start = hrtime(true);
$sums = [];
$tokens = 0;
for ($number = 0; hrtime(true) - $start < 2e9; $number++) {
    $tokens += add_ingredients(write_recipe($number), $sums);
}
$wall = hrtime(true) - $start;
file_put_contents('truth', sprintf("recipes %d\ntokens %d\nns_per_token %d\n", $number, $tokens, $wall / $tokens));
