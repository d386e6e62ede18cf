<?php
// Renders the widgets of a dashboard; a container makes each of them with what its constructor asks for.

class Settings { public string $locale = 'en'; public int $columns = 4; }
class Clock { public function __construct(public Settings $settings) {} }
class Cache { public array $entries = []; public function __construct(public Settings $settings, public Clock $clock) {} }
class Feed { public function __construct(public Cache $cache, public Clock $clock) {} }
class Chart { public function __construct(public Feed $feed, public Settings $settings, public Cache $cache) {} }
class Legend { public function __construct(public Chart $chart, public Settings $settings) {} }
class Widget {
    public function __construct(public Chart $chart, public Legend $legend, public Clock $clock) {}

    public function render(int $number): string
    {
        return '<div>' . $number % $this->chart->settings->columns . '</div>';
    }
}

class Container
{
    public function make(string $class): object
    {
        $plan = new ReflectionClass($class);
        if (!$plan->isInstantiable()) {
            throw new LogicException("cannot make $class");
        }
        $constructor = $plan->getConstructor();
        if ($constructor === null) {
            return $plan->newInstance();
        }
        $arguments = [];
        foreach ($constructor->getParameters() as $parameter) {
            $arguments[$parameter->getName()] = $this->argument($parameter);
        }
        return $plan->newInstanceArgs($arguments);
    }

    private function argument(ReflectionParameter $parameter): object
    {
        $type = $parameter->getType();
        return $this->make($type->getName());
    }
}

function render_dashboard(Container $container, int $first): int
{
    $bytes = 0;
    for ($i = 0; $i < 12; $i++) {
        $bytes += strlen($container->make('Widget')->render($first + $i));
    }
    return $bytes;
}

$container = new Container();
$start = microtime(true);
$pages = $bytes = 0;
while (microtime(true) - $start < 2) {
    $bytes += render_dashboard($container, $pages++);
}
echo "$pages pages, $bytes bytes\n";
