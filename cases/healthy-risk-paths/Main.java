import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;

/** Estimates what an option is worth by many random paths of its share, on all CPUs. */
public class Main {
    static final LongAdder paths = new LongAdder();

    static double path(SplittableRandom random, double price) {
        for (int day = 0; day < 250; day++)
            price *= 1 + (random.nextDouble() - 0.499) * 0.02;
        return Math.max(0, price - 100);
    }

    static Callable<Double> task(long seed, long end) {
        return () -> {
            SplittableRandom random = new SplittableRandom(seed);
            double sum = 0;
            long own = 0;
            while (System.nanoTime() < end) {
                for (int i = 0; i < 1000; i++)
                    sum += path(random, 100);
                own += 1000;
            }
            paths.add(own);
            return sum / own;
        };
    }

    public static void main(String[] arguments) throws Exception {
        int cpus = Runtime.getRuntime().availableProcessors();
        ExecutorService pool = Executors.newFixedThreadPool(cpus);
        long end = System.nanoTime() + 2_000_000_000L;
        List<Future<Double>> parts = new ArrayList<>();
        for (int i = 0; i < cpus; i++)
            parts.add(pool.submit(task(i + 1, end)));
        double sum = 0;
        for (Future<Double> part : parts)
            sum += part.get();
        pool.shutdown();
        System.out.printf("%d paths, worth %.4f%n", paths.sum(), sum / cpus);
    }
}
