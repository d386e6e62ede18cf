import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An anthill: ants walk over a meadow and leave scent, which other ants follow. */
public class Main {
    /** A place on the meadow, as a key of maps. */
    static final class Spot {
        final int x;
        final int y;

        Spot(int x, int y) {
            this.x = x;
            this.y = y;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Spot spot && spot.x == x && spot.y == y;
        }

        @Override
        public int hashCode() {
            return x + y;
        }
    }

    static final class Ant {
        Spot at;
        int heading;
        final Deque<Spot> path = new ArrayDeque<>();

        Ant(int number) {
            at = new Spot(number % 100, number * 31 % 100);
            heading = number;
        }
    }

    static final Map<Spot, Integer> scent = new HashMap<>();
    static long steps;

    static int scentAt(int x, int y) {
        return scent.getOrDefault(new Spot(x, y), 0);
    }

    static Spot nextSpot(Ant ant) {
        int dx = ant.heading % 3 - 1;
        int dy = ant.heading / 3 % 3 - 1;
        int x = Math.floorMod(ant.at.x + dx, 140);
        int y = Math.floorMod(ant.at.y + dy, 140);
        if (scentAt(x, y) < scentAt(Math.floorMod(x - dy, 140), Math.floorMod(y + dx, 140))) {
            ant.heading++;
        }
        return new Spot(x, y);
    }

    static void leaveScent(Spot spot) {
        scent.merge(spot, 1, Integer::sum);
    }

    static void step(Ant ant) {
        ant.heading = (ant.heading * 1103515 + 12345) & 0xffff;
        ant.at = nextSpot(ant);
        ant.path.addLast(ant.at);
        if (ant.path.size() > 50) {
            ant.path.removeFirst();
        }
        leaveScent(ant.at);
        steps++;
    }

    static void sowMeadow() {
        for (int x = 0; x < 140; x++) {
            for (int y = 0; y < 140; y++) {
                scent.put(new Spot(x, y), (x * 7 + y) % 5);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        long start = System.nanoTime();
        sowMeadow();
        List<Ant> ants = new ArrayList<>();
        for (int n = 0; n < 80; n++) {
            ants.add(new Ant(n));
        }
        while (System.nanoTime() - start < 2_000_000_000L) {
            for (Ant ant : ants) {
                step(ant);
            }
        }
        double perStep = (System.nanoTime() - start) / (double) steps;
        Map<Integer, Integer> spread = new HashMap<>();
        for (Spot spot : scent.keySet()) {
            spread.merge(spot.hashCode(), 1, Integer::sum);
        }
        Map<Long, Integer> better = new HashMap<>();
        scent.forEach((spot, value) -> better.put(spot.x * 1000003L + spot.y, value));
        long before = System.nanoTime();
        long sum = 0;
        for (int n = 0; n < 300000; n++) {
            sum += better.getOrDefault((n % 140) * 1000003L + n / 140 % 140, 0);
        }
        double goodKey = (System.nanoTime() - before) / 300000.0;
        Files.writeString(
                Path.of("truth"),
                "steps " + steps + "\nns_per_step " + perStep + "\nhash_values " + spread.size()
                        + " for " + scent.size() + " keys\nns_with_a_good_key " + goodKey
                        + "\nsum " + sum + "\n");
    }
}
