import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.*;
import java.util.stream.*;

/** Counts the words of many texts, and finds texts that are alike. */
public class Main {
    static String makeText(int number) {
        StringBuilder text = new StringBuilder(6000);
        Random random = new Random(number);
        for (int n = 0; n < 700; n++) text.append("word").append((int) Math.abs(random.nextGaussian() * 900)).append(' ');
        return text.toString();
    }

    static long[] fingerprint(String text) {
        long[] smallest = new long[16];
        Arrays.fill(smallest, Long.MAX_VALUE);
        for (String word : text.split(" ")) {
            long hash = word.hashCode() * 0x9E3779B97F4A7C15L;
            for (int n = 0; n < smallest.length; n++) {
                hash = Long.rotateLeft(hash * 0xBF58476D1CE4E5B9L, 27) ^ n;
                smallest[n] = Math.min(smallest[n], hash);
            }
        }
        return smallest;
    }

    static int alike(long[][] prints, int first) {
        int best = 0;
        for (int other = 0; other < prints.length; other++) {
            int same = 0;
            for (int n = 0; n < 16; n++) if (other != first && prints[other][n] == prints[first][n]) same++;
            best = Math.max(best, same);
        }
        return best;
    }

    public static void main(String[] args) throws Exception {
        long start = System.nanoTime(), texts = 0, sum = 0;
        while (System.nanoTime() - start < 1_700_000_000L) {
            int base = (int) texts;
            long[][] prints = IntStream.range(0, 1500).parallel()
                .mapToObj(n -> fingerprint(makeText(base + n))).toArray(long[][]::new);
            sum += IntStream.range(0, prints.length).parallel().map(n -> alike(prints, n)).asLongStream().sum();
            texts += prints.length;
        }
        long took = System.nanoTime() - start, collecting = 0;
        for (var gc : ManagementFactory.getGarbageCollectorMXBeans()) collecting += gc.getCollectionTime();
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        try (PrintWriter truth = new PrintWriter("truth")) {
            truth.printf("cpus %.2f%ntexts %d%ncollecting_ms %d%nsum %d%n", system.getProcessCpuTime() / (double) took,
                texts, collecting, sum);
        }
    }
}
