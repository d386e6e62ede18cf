import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.*;
import java.util.*;

/** Reads sales, groups them by branch, and writes percentiles; four passes with different groupings. */
public class Main {
    record Sale(int id, String branch, int article, double amount) {}

    static List<Sale> readSales() throws Exception {
        List<Sale> sales = new ArrayList<>(400_000);
        try (var lines = Files.newBufferedReader(Path.of("sales.csv"))) {
            for (String line; (line = lines.readLine()) != null;) {
                int a = line.indexOf(';'), b = line.indexOf(';', a + 1), c = line.indexOf(';', b + 1);
                sales.add(new Sale(Integer.parseInt(line, 0, a, 10), line.substring(a + 1, b),
                    Integer.parseInt(line, b + 1, c, 10), Double.parseDouble(line.substring(c + 1))));
            }
        }
        return sales;
    }

    static Map<String, double[]> groupByBranch(List<Sale> sales, int modulus) {
        Map<String, List<Double>> groups = new HashMap<>();
        for (Sale sale : sales) {
            String key = modulus == 0 ? sale.branch() : sale.branch() + "/" + sale.article() % modulus;
            groups.computeIfAbsent(key, branch -> new ArrayList<>()).add(sale.amount());
        }
        Map<String, double[]> result = new TreeMap<>();
        groups.forEach((branch, amounts) -> {
            double[] sorted = amounts.stream().mapToDouble(Double::doubleValue).sorted().toArray();
            result.put(branch, new double[] {sorted[sorted.length / 2], sorted[sorted.length * 9 / 10]});
        });
        return result;
    }

    static void writeReport(PrintWriter out, Map<String, double[]> report) {
        report.forEach((branch, values) -> out.println(branch + " " + values[0] + " " + values[1]));
    }

    public static void main(String[] args) throws Exception {
        long start = System.nanoTime();
        List<Sale> sales = readSales();
        try (PrintWriter out = new PrintWriter("report.txt")) {
            for (int modulus : new int[] {0, 2, 5, 10}) writeReport(out, groupByBranch(sales, modulus));
        }
        long collecting = 0, collections = 0;
        for (var gc : ManagementFactory.getGarbageCollectorMXBeans()) {
            collecting += gc.getCollectionTime();
            collections += gc.getCollectionCount();
        }
        try (PrintWriter truth = new PrintWriter("truth")) {
            truth.printf("ms %d%ncollections %d%ncollecting_ms %d%nsales %d%n",
                (System.nanoTime() - start) / 1_000_000, collections, collecting, sales.size());
        }
    }
}
