import java.io.*;
import java.nio.file.*;
import java.util.*;

/** Reads the levels of a river's gauges, and tells which of them have been above their mark, and for how long. */
public class Main {
    static final int GAUGES = 60;
    static long reading;

    static void record(Path path, int measurements) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(path)) {
            for (int n = 0; n < measurements; n++) {
                out.write(n % GAUGES + " " + (200 + (n * 7919L) % 431 + n % 97) + "\n");
            }
        }
    }

    static int next(Scanner in) {
        long before = System.nanoTime();
        int number = in.nextInt();
        reading += System.nanoTime() - before;
        return number;
    }

    static long readLevels(Scanner in, int[] above, int[] highest, long end) {
        long measurements = 0;
        while (measurements < 4_000_000 && System.nanoTime() < end) {
            int gauge = next(in);
            int level = next(in);
            highest[gauge] = Math.max(highest[gauge], level);
            if (level > 600 + gauge) above[gauge]++;
            measurements++;
        }
        return measurements;
    }

    static void report(int[] above, int[] highest) throws IOException {
        try (PrintWriter out = new PrintWriter("report.txt")) {
            for (int gauge = 0; gauge < GAUGES; gauge++) {
                out.printf("gauge %2d: highest %4d cm, above its mark %6d times%n", gauge, highest[gauge], above[gauge]);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Path path = Path.of("levels.txt");
        record(path, 4_000_000);
        long start = System.nanoTime();
        int[] above = new int[GAUGES], highest = new int[GAUGES];
        long measurements;
        try (Scanner in = new Scanner(path)) {
            measurements = readLevels(in, above, highest, start + 2_000_000_000L);
        }
        report(above, highest);
        double seconds = (System.nanoTime() - start) / 1e9;
        try (PrintWriter truth = new PrintWriter("truth")) {
            truth.printf("reading %.3f%nmeasurements %d%n", reading / 1e9 / seconds, measurements);
        }
    }
}
