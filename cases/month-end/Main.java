import java.io.*;
import java.util.*;
import java.util.concurrent.*;

/** Closes the month of a shop: the accounts are added up by some workers, and the result is written to a file. */
public class Main {
    static volatile long written;

    static ThreadPoolExecutor workers() {
        ThreadPoolExecutor workers = new ThreadPoolExecutor(4, 4, 1700, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(),
            task -> new Thread(task, "accountant"));
        workers.allowCoreThreadTimeOut(true);
        return workers;
    }

    static long balance(int account) {
        long balance = 0;
        for (int booking = 0; booking < 40_000; booking++) balance += (account * 7919L + booking * 31L) % 20_011 - 10_000;
        return balance;
    }

    static Map<Integer, Long> close(ExecutorService workers, int accounts) throws Exception {
        Map<Integer, Future<Long>> open = new TreeMap<>();
        for (int n = 0; n < accounts; n++) {
            int account = n;
            open.put(account, workers.submit(() -> balance(account)));
        }
        Map<Integer, Long> balances = new TreeMap<>();
        for (Map.Entry<Integer, Future<Long>> entry : open.entrySet()) balances.put(entry.getKey(), entry.getValue().get());
        return balances;
    }

    static void note(long start) {
        long end = System.nanoTime();
        try (PrintWriter truth = new PrintWriter("truth")) {
            truth.printf("closed_after %.3f%nended_after %.3f%n", (written - start) / 1e9, (end - start) / 1e9);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    public static void main(String[] args) throws Exception {
        long start = System.nanoTime();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> note(start)));
        Map<Integer, Long> balances = close(workers(), 600);
        try (PrintWriter out = new PrintWriter("balances.csv")) {
            balances.forEach((account, balance) -> out.println(account + ";" + balance));
        }
        written = System.nanoTime();
    }
}
