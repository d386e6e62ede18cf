import java.io.PrintWriter;
import java.util.*;
import java.util.concurrent.*;

/** Draws the tiles of a map on a pool with as many threads as CPUs; each tile takes some milliseconds. */
public class Main {
    static long drawTile(int tile) {
        long ink = tile;
        for (int n = 0; n < 4_000_000; n++) ink = ink * 6364136223846793005L + n;
        return ink;
    }

    public static void main(String[] args) throws Exception {
        int cpus = Runtime.getRuntime().availableProcessors();
        ExecutorService pool = Executors.newFixedThreadPool(cpus);
        Queue<Future<Long>> drawn = new ArrayDeque<>();
        long start = System.nanoTime(), ink = 0;
        int tile = 0;
        for (; tile < 8 * cpus; tile++) {
            int number = tile;
            drawn.add(pool.submit(() -> drawTile(number)));
        }
        while (!drawn.isEmpty()) {
            ink ^= drawn.remove().get();
            if (System.nanoTime() - start > 2_000_000_000L) continue;
            int number = tile++;
            drawn.add(pool.submit(() -> drawTile(number)));
        }
        pool.shutdown();
        double took = (System.nanoTime() - start) / 1e9;
        var system = (com.sun.management.OperatingSystemMXBean)
            java.lang.management.ManagementFactory.getOperatingSystemMXBean();
        try (PrintWriter truth = new PrintWriter("truth")) {
            double cpus_used = system.getProcessCpuTime() / 1e9 / took;
            truth.printf("took %.2f%ncpus %.2f%ntiles %d%nink %d%n", took, cpus_used, tile, ink);
        }
    }
}
