<?php
// Prices the baskets of a shop; a price is looked up in the memo first, and only computed if it is not there.

final class Memo {
    private $line;
    public float $waited = 0.0;

    public function __construct(string $path) {
        $this->line = stream_socket_client("unix://$path");
    }

    private function ask(string $question): string {
        $before = microtime(true);
        fwrite($this->line, "$question\n");
        $answer = rtrim(fgets($this->line));
        $this->waited += microtime(true) - $before;
        return $answer;
    }

    public function get(string $key): ?string {
        $answer = $this->ask("get $key");
        return $answer === '-' ? null : $answer;
    }

    public function set(string $key, string $value): void {
        $this->ask("set $key $value");
    }
}

function compute_price(int $article, int $customer): int {
    $price = $article;
    for ($i = 0; $i < 2000; $i++) {
        $price = ($price * 31 + $customer) % 100003;
    }
    return $price;
}

function price(Memo $memo, int $article, int $customer): int {
    $key = "p$article-$customer";
    $known = $memo->get($key);
    if ($known !== null) {
        return (int) $known;
    }
    $price = compute_price($article, $customer);
    $memo->set($key, (string) $price);
    return $price;
}

$started = microtime(true);
$memo = new Memo('memo.sock');
$sum = 0;
for ($n = 0; microtime(true) - $started < 2.0; $n++) {
    $sum += price($memo, $n * 7 % 5000, $n);
}
file_put_contents('truth', sprintf("share %.2f\nprices %d\n", $memo->waited / (microtime(true) - $started), $n));
echo "$n prices\n";
