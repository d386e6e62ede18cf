<?php
// Books the visits of a gym's members. Every request of the turnstile carries the member's token.

class Members
{
    private array $tokens = [];

    public function add(string $name): void
    {
        $this->tokens[$name] = password_hash("token of $name", PASSWORD_BCRYPT, ['cost' => 11]);
    }

    public function checkToken(string $name, string $token): bool
    {
        return isset($this->tokens[$name]) && password_verify($token, $this->tokens[$name]);
    }
}

class Gate
{
    private array $visits = [];

    public function __construct(private Members $members)
    {
    }

    public function request(string $name, string $token, string $what): string
    {
        if (!$this->members->checkToken($name, $token)) {
            return 'who are you?';
        }
        $this->visits[$name][] = $what;
        return count($this->visits[$name]) . " entries for $name";
    }
}

$members = new Members();
foreach (['Ada', 'Ben', 'Cleo'] as $name) {
    $members->add($name);
}
$gate = new Gate($members);
$steps = ['enter', 'locker', 'treadmill', 'rowing', 'weights', 'sauna', 'shower', 'leave'];
$start = microtime(true);
$requests = 0;
while (microtime(true) - $start < 2.0) {
    $name = ['Ada', 'Ben', 'Cleo'][intdiv($requests, 8) % 3];
    $answer = $gate->request($name, "token of $name", $steps[$requests % 8]);
    $requests++;
}
file_put_contents('truth', "requests $requests\n");
echo $answer, "\n";
