import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/** A lift: its control waits until the doors are shut before it moves on. */
public class Main {
    static volatile int shut, ordered;
    static volatile boolean done;

    /** The doors' motor takes six milliseconds. */
    static void runDoors() {
        while (!done) {
            if (ordered > shut) {
                LockSupport.parkNanos(6_000_000);
                shut = ordered;
            } else LockSupport.park();
        }
    }

    static void awaitDoors(int floor) {
        while (shut < floor) Thread.onSpinWait();
    }

    static void shutDoors(Thread doors, int floor) {
        ordered = floor;
        LockSupport.unpark(doors);
        awaitDoors(floor);
    }

    public static void main(String[] args) throws Exception {
        Thread doors = new Thread(Main::runDoors, "doors");
        doors.start();
        long start = System.nanoTime(), waited = 0;
        int floor = 0;
        while (System.nanoTime() - start < 2_000_000_000L) {
            long before = System.nanoTime();
            shutDoors(doors, ++floor);
            waited += System.nanoTime() - before;
        }
        done = true;
        LockSupport.unpark(doors);
        doors.join();
        Files.writeString(Path.of("truth"), "spun " + (double) waited / (System.nanoTime() - start) + "\nfloors " + floor + "\n");
    }
}
