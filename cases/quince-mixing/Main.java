import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/** Looks for the best mixture of quinces for a jelly: tries mixtures on all CPUs until the time that was asked for is over. */
public class Main {
    private static final int KINDS = 48;

    private static double taste(double[] mixture, double[][] affinity) {
        double sum = 0;
        for (int a = 0; a < KINDS; a++) {
            double[] row = affinity[a];
            double part = 0;
            for (int b = 0; b < KINDS; b++) {
                part += row[b] * mixture[b];
            }
            sum += mixture[a] * part;
        }
        return sum;
    }

    /** One walk: changes the mixture a little, and keeps what tastes better. */
    private static double walk(int seed, double[][] affinity, long until, LongAdder tried) {
        double[] mixture = new double[KINDS];
        Arrays.fill(mixture, 1.0 / KINDS);
        double best = taste(mixture, affinity);
        long random = seed * 2654435761L + 12345;
        long count = 0;
        while (System.nanoTime() < until) {
            random = random * 6364136223846793005L + 1442695040888963407L;
            int from = (int) (random >>> 33) % KINDS;
            int to = (int) (random >>> 40) % KINDS;
            double part = mixture[from] * 0.3;
            mixture[from] -= part;
            mixture[to] += part;
            double now = taste(mixture, affinity);
            if (now > best) {
                best = now;
            } else {
                mixture[to] -= part;
                mixture[from] += part;
            }
            count++;
        }
        tried.add(count);
        return best;
    }

    public static void main(String[] args) throws IOException {
        double[][] affinity = new double[KINDS][KINDS];
        for (int a = 0; a < KINDS; a++) {
            for (int b = 0; b < KINDS; b++) {
                affinity[a][b] = Math.sin(a * 3.1 + b * 1.7);
            }
        }
        int cpus = Runtime.getRuntime().availableProcessors();
        long until = System.nanoTime() + 1_900_000_000L;
        LongAdder tried = new LongAdder();
        double best = IntStream.range(0, cpus).parallel().mapToDouble(n -> walk(n, affinity, until, tried)).max().orElse(0);
        Files.writeString(Path.of("truth"), String.format("tried %d%nbest %.4f%n", tried.sum(), best));
    }
}
