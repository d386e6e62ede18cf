<?php
// Prices the parts of a model village; each part is a class in one of the folders of its makers.

function build_village(): void {
    for ($maker = 0; $maker < 400; $maker++) mkdir("makers/maker$maker", 0777, true);
    for ($part = 0; $part < 3000; $part++) {
        $code = "<?php class Part$part { public function price(): int { return " . (90 + $part % 17) . "; } }\n";
        file_put_contents("makers/maker" . (399 - $part % 9) . "/Part$part.php", $code);
    }
}

$looking = 0.0;

function find_class(string $name): void {
    global $looking;
    $before = microtime(true);
    foreach (explode(":", get_include_path()) as $folder) {
        $file = "$folder/$name.php";
        if (is_file($file)) {
            $looking += microtime(true) - $before;
            require $file;
            return;
        }
    }
}

build_village();
$folders = [];
for ($maker = 0; $maker < 400; $maker++) $folders[] = getcwd() . "/makers/maker$maker";
set_include_path(implode(":", $folders));
spl_autoload_register("find_class");
$start = microtime(true);
$sum = 0;
$parts = 0;
for ($part = 0; $part < 3000 && microtime(true) < $start + 2.5; $part++) {
    $class = "Part$part";
    $sum += (new $class())->price();
    $parts++;
}
$wall = microtime(true) - $start;
file_put_contents("truth", sprintf("looking %.3f\nparts %d\nsum %d\n", $looking / $wall, $parts, $sum));
