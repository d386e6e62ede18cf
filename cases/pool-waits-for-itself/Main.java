import java.io.PrintWriter;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/**
 * Writes reports on a pool of four threads. Each report hands its parts to the same pool and waits for them; when all
 * four threads wait, nobody is left for the parts. After 0.9 s a report gives up and writes its parts itself.
 */
public class Main {
    static final ExecutorService pool = Executors.newFixedThreadPool(4);
    static final AtomicLong waited = new AtomicLong(), givenUp = new AtomicLong();

    static long writePart(int report, int part) {
        long sum = report;
        for (int n = 0; n < 50_000; n++) sum = sum * 31 + part;
        return sum;
    }

    static long writeReport(int report) throws Exception {
        List<Callable<Long>> parts = new ArrayList<>();
        for (int n = 0; n < 3; n++) {
            int part = n;
            parts.add(() -> writePart(report, part));
        }
        Thread.sleep(20); // collects its figures
        long before = System.nanoTime();
        List<Future<Long>> written = waitForParts(parts);
        waited.addAndGet(System.nanoTime() - before);
        long sum = 0;
        for (int n = 0; n < 3; n++) {
            if (written.get(n).isCancelled()) givenUp.incrementAndGet();
            sum += written.get(n).isCancelled() ? writePart(report, n) : written.get(n).get();
        }
        return sum;
    }

    static List<Future<Long>> waitForParts(List<Callable<Long>> parts) throws InterruptedException {
        return pool.invokeAll(parts, 900, TimeUnit.MILLISECONDS);
    }

    public static void main(String[] args) throws Exception {
        long start = System.nanoTime();
        for (int round = 0; round < 2; round++) {
            List<Future<Long>> reports = new ArrayList<>();
            for (int n = 0; n < 4; n++) {
                int report = n;
                reports.add(pool.submit(() -> writeReport(report)));
            }
            for (Future<Long> report : reports) report.get();
        }
        pool.shutdown();
        try (PrintWriter truth = new PrintWriter("truth")) {
            truth.printf("wall %.3f%nwaited_per_thread %.3f%nparts_given_up %d%n",
                (System.nanoTime() - start) / 1e9, waited.get() / 4e9, givenUp.get());
        }
    }
}
