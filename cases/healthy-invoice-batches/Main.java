import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Checks the invoices of a year: their sums, their tax, and the check digits of their accounts. */
public class Main {
    record Invoice(long number, long account, long cents) {}

    static final int WORKERS = Math.max(2, Runtime.getRuntime().availableProcessors());
    static final List<Invoice> END = List.of();
    static final AtomicLong workersWaited = new AtomicLong();
    static final AtomicLong wrong = new AtomicLong();

    static boolean check(Invoice invoice) {
        long sum = 0;
        for (long round = 0; round < 4000; round++) {
            sum = (sum * 10 + (invoice.account() + round * invoice.cents()) % 97) % 9_999_991;
        }
        return (sum + invoice.number()) % 1009 != 0;
    }

    static int readInvoices(BlockingQueue<List<Invoice>> queue, long until) throws InterruptedException {
        int batches = 0;
        for (long number = 0; System.nanoTime() < until; batches++) {
            List<Invoice> batch = new ArrayList<>(500);
            for (int i = 0; i < 500; i++, number++) {
                batch.add(new Invoice(number, number * 7919 % 100_000_007, number * 37 % 1_000_000));
            }
            queue.put(batch);
        }
        for (int worker = 0; worker < WORKERS; worker++) {
            queue.put(END);
        }
        return batches;
    }

    static void work(BlockingQueue<List<Invoice>> queue) {
        try {
            while (true) {
                long before = System.nanoTime();
                List<Invoice> batch = queue.take();
                workersWaited.addAndGet(System.nanoTime() - before);
                if (batch == END) {
                    return;
                }
                wrong.addAndGet(batch.stream().filter(invoice -> !check(invoice)).count());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        BlockingQueue<List<Invoice>> queue = new ArrayBlockingQueue<>(8);
        List<Thread> workers = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < WORKERS; i++) {
            Thread worker = new Thread(() -> work(queue), "checker-" + i);
            worker.start();
            workers.add(worker);
        }
        int batches = readInvoices(queue, start + 2_000_000_000L);
        for (Thread worker : workers) {
            worker.join();
        }
        double all = (double) (System.nanoTime() - start) * WORKERS;
        Files.writeString(Path.of("truth"), String.format(Locale.ENGLISH, "workers_waited %.3f%nbatches %d%nwrong %d%n",
                workersWaited.get() / all, batches, wrong.get()));
    }
}
