import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/** Keeps the connections of smart kettles to a maker's service: who says nothing for a minute is disconnected. */
public class Main {
    static final class Kettle implements Comparable<Kettle> {
        final int number;
        long silentUntil;
        int boils;

        Kettle(int number) {
            this.number = number;
        }

        @Override
        public int compareTo(Kettle other) {
            return Long.compare(silentUntil, other.silentUntil);
        }
    }

    private final PriorityQueue<Kettle> timers = new PriorityQueue<>();
    private int lost;

    void connect(Kettle kettle, long now) {
        kettle.silentUntil = now + 60_000;
        timers.add(kettle);
    }

    /** A kettle is heard of: its minute begins again. */
    void restartTimer(Kettle kettle, long now) {
        timers.remove(kettle);
        kettle.silentUntil = now + 60_000;
        timers.add(kettle);
    }

    void message(Kettle kettle, int degrees, long now) {
        if (degrees >= 100) {
            kettle.boils++;
        }
        restartTimer(kettle, now);
        while (!timers.isEmpty() && timers.peek().silentUntil < now) {
            timers.poll();
            lost++;
        }
    }

    public static void main(String[] args) throws IOException {
        Main service = new Main();
        List<Kettle> kettles = new ArrayList<>();
        for (int n = 0; n < 30_000; n++) {
            kettles.add(new Kettle(n));
            service.connect(kettles.get(n), n);
        }
        long start = System.nanoTime();
        long messages = 0;
        int seed = 17;
        while (System.nanoTime() - start < 2_000_000_000L) {
            for (int n = 0; n < 100; n++) {
                seed = seed * 1664525 + 1013904223;
                Kettle kettle = kettles.get((seed >>> 8) % kettles.size());
                service.message(kettle, 60 + (seed >>> 26), 30_000 + messages / 50);
                messages++;
            }
        }
        Files.writeString(Path.of("truth"), String.format("messages %d%nlost %d%n", messages, service.lost));
    }
}
