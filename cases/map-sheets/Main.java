import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Draws the sheets of a map by a pool of threads. The sheets do not depend on each other. */
public class Main {
    static long drawSheet(int sheet) {
        long height = sheet;
        for (int y = 0; y < 700; y++)
            for (int x = 0; x < 700; x++) height = height * 2862933555777941757L + (x ^ y) + (height >>> 33);
        return height;
    }

    static long drawMap(ExecutorService pool, int first) throws Exception {
        List<Future<Long>> sheets = new ArrayList<>();
        for (int n = 0; n < 40; n++) {
            int sheet = first + n;
            sheets.add(pool.submit(() -> drawSheet(sheet)));
        }
        long sum = 0;
        for (Future<Long> sheet : sheets) sum ^= sheet.get();
        return sum;
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        long start = System.nanoTime(), sum = 0;
        int maps = 0;
        for (; System.nanoTime() - start < 2_000_000_000L; maps++) sum ^= drawMap(pool, maps * 40);
        pool.shutdown();
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        Files.writeString(Path.of("truth"), "cpus_used " + system.getProcessCpuTime() / (double) (System.nanoTime() - start)
                + "\nmaps " + maps + "\nsum " + sum + "\n");
    }
}
