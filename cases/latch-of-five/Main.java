import java.io.PrintWriter;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/**
 * Collects the figures of five departments by five tasks, and waits until a latch has counted five. The task of one
 * department fails before it counts, so the latch never opens, and the wait ends after 400 ms.
 */
public class Main {
    static final ExecutorService pool = Executors.newFixedThreadPool(5);
    static final String[] departments = {"sales", "repairs", "rentals", "parts", "training"};
    static long waiting, missing;

    static int figureOf(String department, int month) {
        if (department.equals("rentals")) {
            return Integer.parseInt("n/a"); // has been closed for years
        }
        int figure = department.hashCode();
        for (int n = 0; n < 1000; n++) figure = figure * 31 + month;
        return Math.abs(figure % 100_000);
    }

    static void awaitDepartments(CountDownLatch latch) throws InterruptedException {
        long before = System.nanoTime();
        if (!latch.await(400, TimeUnit.MILLISECONDS)) missing++;
        waiting += System.nanoTime() - before;
    }

    static int reportMonth(int month) throws InterruptedException {
        CountDownLatch latch = new CountDownLatch(departments.length);
        AtomicInteger sum = new AtomicInteger();
        for (String department : departments) {
            pool.submit(() -> {
                sum.addAndGet(figureOf(department, month));
                latch.countDown();
            });
        }
        awaitDepartments(latch);
        return sum.get();
    }

    public static void main(String[] args) throws Exception {
        long start = System.nanoTime(), total = 0;
        for (int month = 1; month <= 5; month++) total += reportMonth(month);
        pool.shutdown();
        double seconds = (System.nanoTime() - start) / 1e9;
        try (PrintWriter truth = new PrintWriter("truth")) {
            truth.printf("waiting %.3f%nlatches_timed_out %d%ntotal %d%n", waiting / 1e9 / seconds, missing, total);
        }
    }
}
