<?php
// Sends the orders of the day to the press, one after the other, and keeps the receipts.
final class PrintRoom
{
    private $press;
    private $receipts;
    public int $looks = 0;

    public function __construct()
    {
        $this->press = msg_get_queue(0x51a1);
        $this->receipts = msg_get_queue(0x51a2);
    }

    public function print(string $order): string
    {
        msg_send($this->press, 1, $order);
        return $this->waitForReceipt();
    }

    private function waitForReceipt(): string
    {
        while (!msg_receive($this->receipts, 0, $type, 1000, $receipt, true, MSG_IPC_NOWAIT)) {
            $this->looks++;
            usleep(60000);
        }
        return $receipt;
    }
}

$room = new PrintRoom();
$receipts = [];
$start = microtime(true);
for ($n = 1; microtime(true) - $start < 1.9; $n++) {
    $receipts[] = $room->print("poster $n");
}
printf("%d receipts, %d looks\n", count($receipts), $room->looks);
