import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;

/** Makes the reports that the branches have asked for. A worker computes them; the desk looks whether they are done. */
public class Main {
    static final ExecutorService WORKER = Executors.newSingleThreadExecutor();
    static long waiting;
    static volatile long computing;

    record Sale(int branch, int article, long cents) {}

    static List<Sale> salesOf(int branch) {
        List<Sale> sales = new ArrayList<>();
        Random dice = new Random(branch);
        for (int n = 0; n < 800; n++) {
            sales.add(new Sale(branch, dice.nextInt(60), dice.nextInt(10_000)));
        }
        return sales;
    }

    static String computeReport(int branch) {
        long before = System.nanoTime();
        TreeMap<Integer, Long> byArticle = new TreeMap<>();
        for (Sale sale : salesOf(branch)) {
            byArticle.merge(sale.article(), sale.cents(), Long::sum);
        }
        String report = "branch " + branch + ": " + byArticle;
        computing += System.nanoTime() - before;
        return report;
    }

    static String awaitReport(Future<String> report) throws Exception {
        long before = System.nanoTime();
        while (!report.isDone()) {
            Thread.sleep(40);
        }
        waiting += System.nanoTime() - before;
        return report.get();
    }

    static String orderReport(int branch) throws Exception {
        Future<String> report = WORKER.submit(() -> computeReport(branch));
        return awaitReport(report);
    }

    public static void main(String[] arguments) throws Exception {
        long start = System.nanoTime();
        int reports = 0;
        StringBuilder all = new StringBuilder();
        while (System.nanoTime() - start < 2_000_000_000L) {
            all.append(orderReport(reports++ % 30)).append('\n');
        }
        double wall = System.nanoTime() - start;
        WORKER.shutdown();
        Files.writeString(Path.of("reports.txt"), all);
        Files.writeString(Path.of("truth"), String.format(Locale.ROOT, "waiting %.3f%ncomputing %.3f%nreports %d%n",
                waiting / wall, computing / wall, reports));
    }
}
