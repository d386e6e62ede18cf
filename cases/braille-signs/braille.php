<?php
// Turns the texts of a museum into Braille, letter by letter.
final class Braille
{
    private array $signs = [];

    public function __construct()
    {
        $letters = 'abcdefghijklmnopqrstuvwxyz';
        for ($i = 0; $i < 26; $i++) {
            $this->signs[$letters[$i]] = pack('C3', 0xE2, 0xA0, 0x81 + $i);
        }
        $this->signs[' '] = "\u{2800}";
        foreach (['ä' => 'ae', 'ö' => 'oe', 'ü' => 'ue', 'ß' => 'ss'] as $letter => $pair) {
            $this->signs[$letter] = $this->signs[$pair[0]] . $this->signs[$pair[1]];
        }
    }

    public function translate(string $text): string
    {
        $result = '';
        $length = iconv_strlen($text, 'UTF-8');
        for ($i = 0; $i < $length; $i++) {
            $letter = iconv_substr($text, $i, 1, 'UTF-8');
            $result .= $this->signs[$letter] ?? '';
        }
        return $result;
    }
}

function guideText(int $room): string
{
    mt_srand($room);
    $words = ['bär', 'löwe', 'straße', 'über', 'turm', 'haus', 'sänger', 'fluss', 'garten', 'könig'];
    $text = [];
    for ($i = 0; $i < 60; $i++) {
        $text[] = $words[mt_rand(0, 9)];
    }
    return implode(' ', $text);
}

$braille = new Braille();
$until = microtime(true) + 2;
$rooms = $bytes = 0;
while (microtime(true) < $until) {
    $bytes += strlen($braille->translate(guideText($rooms++)));
}
echo "$rooms rooms, $bytes bytes\n";
