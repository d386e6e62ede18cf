import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;

/** Counts the birds on the photos of a nature reserve, with as many threads as the machine has CPUs. */
public class Main {
    static final int BIRDS = 64;

    static int birdOn(long photo) {
        long mixed = photo;
        for (int step = 0; step < 200; step++) {
            mixed = mixed * 6364136223846793005L + 1442695040888963407L;
            mixed ^= mixed >>> 29;
        }
        return (int) (mixed >>> 58);
    }

    static long[] countBirds(long first, long stride, long until) {
        long[] seen = new long[BIRDS];
        for (long photo = first; System.nanoTime() < until; photo += 1000 * stride) {
            for (long n = photo; n < photo + 1000 * stride; n += stride) {
                seen[birdOn(n)]++;
            }
        }
        return seen;
    }

    public static void main(String[] arguments) throws Exception {
        int threads = Runtime.getRuntime().availableProcessors();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        long start = System.nanoTime(), until = start + 2_000_000_000L;
        List<Future<long[]>> counts = new ArrayList<>();
        for (int n = 0; n < threads; n++) {
            long first = n;
            counts.add(pool.submit(() -> countBirds(first, threads, until)));
        }
        long[] all = new long[BIRDS];
        for (Future<long[]> count : counts) {
            long[] seen = count.get();
            for (int bird = 0; bird < BIRDS; bird++) {
                all[bird] += seen[bird];
            }
        }
        pool.shutdown();
        double wall = System.nanoTime() - start;
        Files.writeString(Path.of("truth"), String.format(Locale.ROOT, "seconds %.2f%nphotos %d%n", wall / 1e9, Arrays.stream(all).sum()));
    }
}
