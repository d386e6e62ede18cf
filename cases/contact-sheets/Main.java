import java.io.*;
import java.util.*;
import java.util.concurrent.*;

/** Makes contact sheets of photographs: each photograph is made smaller, and the small ones are put side by side. */
public class Main {
    static final int SIZE = 640, SMALL = 80;

    static int[] photograph(int number) {
        int[] dots = new int[SIZE * SIZE];
        int value = number + 1;
        for (int n = 0; n < dots.length; n++) {
            value = value * 1_103_515_245 + 12_345;
            dots[n] = value >>> 16 & 0xff;
        }
        return dots;
    }

    static void blur(int[] dots) {
        for (int y = 1; y < SIZE - 1; y++) {
            for (int x = 1; x < SIZE - 1; x++) {
                int n = y * SIZE + x;
                dots[n] = (dots[n] * 4 + dots[n - 1] + dots[n + 1] + dots[n - SIZE] + dots[n + SIZE]) >> 3;
            }
        }
    }

    static int[] render(int number) {
        int[] dots = photograph(number);
        for (int round = 0; round < 12; round++) blur(dots);
        int[] small = new int[SMALL * SMALL];
        for (int n = 0; n < small.length; n++) small[n] = dots[n / SMALL * 8 * SIZE + n % SMALL * 8];
        return small;
    }

    static List<int[]> sheet(ExecutorService workers, int first) {
        List<int[]> photographs = new ArrayList<>();
        for (int n = first; n < first + 12; n++) {
            int number = n;
            CompletableFuture<int[]> small = CompletableFuture.supplyAsync(() -> render(number), workers);
            photographs.add(small.join());
        }
        return photographs;
    }

    static double cpuSeconds() throws IOException {
        String stat = new String(new FileInputStream("/proc/self/stat").readAllBytes());
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / 100.0;
    }

    public static void main(String[] args) throws Exception {
        ExecutorService workers = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        long start = System.nanoTime();
        double used = cpuSeconds();
        int sheets = 0;
        long sum = 0;
        while (System.nanoTime() - start < 2_000_000_000L) {
            for (int[] photograph : sheet(workers, sheets * 12)) sum += photograph[sheets % photograph.length];
            sheets++;
        }
        workers.shutdown();
        double seconds = (System.nanoTime() - start) / 1e9;
        try (PrintWriter truth = new PrintWriter("truth")) {
            truth.printf("sheets %d%ncpus_used %.2f%nsum %d%n", sheets, (cpuSeconds() - used) / seconds, sum);
        }
    }
}
