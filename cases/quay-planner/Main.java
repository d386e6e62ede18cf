import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Plans the cranes of a quay: containers wait in a queue until a crane is free, and ships wait while it is long. */
public class Main {
    record Box(int number, int tons, long since) {}

    static final int LONGEST = 20_000;

    static class Quay {
        private final Queue<Box> waiting = new ConcurrentLinkedQueue<>();
        private long moved, tons, longest;

        boolean isFull() {
            return waiting.size() >= LONGEST;
        }

        boolean unload(Box box) {
            if (isFull()) {
                return false;
            }
            waiting.add(box);
            longest = Math.max(longest, waiting.size());
            return true;
        }

        void lift() {
            Box box = waiting.poll();
            if (box != null) {
                moved++;
                tons += box.tons();
            }
        }
    }

    static List<Box> shipload(int ship) {
        List<Box> boxes = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            boxes.add(new Box(ship * 1000 + i, 2 + (ship * 31 + i * 17) % 28, ship));
        }
        return boxes;
    }

    public static void main(String[] args) {
        long end = System.nanoTime() + 2_000_000_000L;
        Quay quay = new Quay();
        int ship = 0, refused = 0;
        while (System.nanoTime() < end) {
            for (Box box : shipload(ship++)) {
                if (!quay.unload(box)) {
                    refused++;
                }
            }
            int cranes = ship % 10 == 0 ? 1_100 : 200;
            for (int i = 0; i < cranes; i++) {
                quay.lift();
            }
        }
        System.out.printf("%d ships, %d boxes moved, %d t, at most %d waited, %d refused%n", ship, quay.moved, quay.tons,
                quay.longest, refused);
    }
}
