import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** Four clerks share one counter of invoices, which is locked while the next number is "fetched". */
public class Main {
    static final AtomicLong waited = new AtomicLong();
    static int number;

    static synchronized int nextNumber() throws InterruptedException {
        Thread.sleep(5);
        return ++number;
    }

    static void writeInvoices(long until) {
        try {
            while (System.nanoTime() < until) {
                long before = System.nanoTime();
                nextNumber();
                waited.addAndGet(System.nanoTime() - before - 5_000_000);
            }
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    public static void main(String[] args) throws Exception {
        long until = System.nanoTime() + 2_000_000_000L;
        Thread[] clerks = new Thread[4];
        for (int n = 0; n < clerks.length; n++) {
            clerks[n] = new Thread(() -> writeInvoices(until), "clerk-" + n);
            clerks[n].start();
        }
        for (Thread clerk : clerks) clerk.join();
        Files.writeString(Path.of("truth"), "invoices " + number + "\nwaiting_per_clerk "
                + waited.get() / 4 / 2e9 + "\n");
    }
}
