import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A lighthouse: flashes and turns at fixed rates. Usage: Main FLASHES-PER-SECOND TURNS-PER-SECOND SECONDS */
public class Main {
    static final AtomicInteger flashes = new AtomicInteger(), turns = new AtomicInteger();

    static void flash() {
        flashes.incrementAndGet();
    }

    static void turn() {
        turns.incrementAndGet();
    }

    public static void main(String[] args) throws Exception {
        ScheduledExecutorService clock = Executors.newScheduledThreadPool(3);
        clock.scheduleAtFixedRate(Main::flash, 0, 1_000_000 / Integer.parseInt(args[0]), TimeUnit.MICROSECONDS);
        clock.scheduleAtFixedRate(Main::turn, 0, 1_000_000 / Integer.parseInt(args[1]), TimeUnit.MICROSECONDS);
        clock.schedule(clock::shutdownNow, Integer.parseInt(args[2]), TimeUnit.SECONDS);
        clock.awaitTermination(1, TimeUnit.MINUTES);
        Files.writeString(Path.of("truth"), "flashes " + flashes + "\nturns " + turns + "\n");
    }
}
