<?php
// The tests of a club's member pages. Every test gets a fresh register with three members, as test authors like it.

class MemberRegister
{
    private array $members = [];

    public function add(string $name, string $password, bool $board = false): void
    {
        $hash = password_hash($password, PASSWORD_BCRYPT, ['cost' => 10]);
        $this->members[$name] = ['hash' => $hash, 'board' => $board, 'fees' => 0];
    }

    public function pay(string $name, int $cents): int
    {
        return $this->members[$name]['fees'] += $cents;
    }

    public function isOnBoard(string $name): bool
    {
        return $this->members[$name]['board'] ?? false;
    }

    public function names(): array
    {
        $names = array_keys($this->members);
        sort($names);
        return $names;
    }
}

class MemberTests
{
    private MemberRegister $register;

    public function setUp(): void
    {
        $this->register = new MemberRegister();
        $this->register->add('tilda', 'correct horse', true);
        $this->register->add('bruno', 'battery');
        $this->register->add('wanda', 'staple');
    }

    public function testFeesAddUp(): bool
    {
        $this->register->pay('bruno', 1200);
        return $this->register->pay('bruno', 300) === 1500;
    }

    public function testBoard(): bool
    {
        return $this->register->isOnBoard('tilda') && !$this->register->isOnBoard('wanda');
    }

    public function testStrangerIsNotOnBoard(): bool
    {
        return !$this->register->isOnBoard('nobody');
    }

    public function testNamesAreSorted(): bool
    {
        return $this->register->names() === ['bruno', 'tilda', 'wanda'];
    }
}

$start = hrtime(true);
$setting = $run = $failed = 0;
$tests = array_filter(get_class_methods('MemberTests'), fn ($name) => str_starts_with($name, 'test'));
while (hrtime(true) - $start < 1.9e9) {
    foreach ($tests as $test) {
        $case = new MemberTests();
        $before = hrtime(true);
        $case->setUp();
        $setting += hrtime(true) - $before;
        $failed += $case->$test() ? 0 : 1;
        $run++;
    }
}
$wall = hrtime(true) - $start;
file_put_contents('truth', sprintf("share %.3f\ntests %d\nfailed %d\n", $setting / $wall, $run, $failed));
