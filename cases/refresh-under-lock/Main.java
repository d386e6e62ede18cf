import java.io.*;
import java.net.Socket;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.atomic.AtomicLong;

/** Five threads price orders in many currencies; the rates come from a cache that asks a service when stale. */
public class Main {
    static final AtomicLong orders = new AtomicLong(), inRateOf = new AtomicLong(), inFetch = new AtomicLong();

    static class RateCache {
        private final Map<String, Long> rates = new HashMap<>(), times = new HashMap<>();
        private final BufferedReader in;
        private final Writer out;

        RateCache(int port) throws IOException {
            Socket socket = new Socket("127.0.0.1", port);
            socket.setTcpNoDelay(true);
            in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
            out = new OutputStreamWriter(socket.getOutputStream());
        }

        synchronized long rateOf(String currency) throws IOException {
            Long since = times.get(currency);
            if (since == null || System.nanoTime() - since > 20_000_000L) {
                rates.put(currency, fetchRate(currency));
                times.put(currency, System.nanoTime());
            }
            return rates.get(currency);
        }

        private long fetchRate(String currency) throws IOException {
            long before = System.nanoTime();
            out.write(currency + "\n");
            out.flush();
            long rate = Long.parseLong(in.readLine());
            inFetch.addAndGet(System.nanoTime() - before);
            return rate;
        }
    }

    static void priceOrders(RateCache cache, int clerk, long until) {
        String[] currencies = {"EUR", "USD", "CHF", "SEK", "JPY", "GBP", "NOK"};
        try {
            for (int n = clerk; System.nanoTime() < until; n++) {
                long before = System.nanoTime();
                cache.rateOf(currencies[n % currencies.length]);
                inRateOf.addAndGet(System.nanoTime() - before);
                orders.incrementAndGet();
            }
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    public static void main(String[] args) throws Exception {
        RateCache cache = new RateCache(Integer.parseInt(Files.readString(Path.of("port")).trim()));
        long start = System.nanoTime(), until = start + 2_000_000_000L;
        List<Thread> clerks = new ArrayList<>();
        for (int n = 0; n < 5; n++) {
            int clerk = n;
            clerks.add(new Thread(() -> priceOrders(cache, clerk, until), "clerk-" + n));
        }
        for (Thread clerk : clerks) clerk.start();
        for (Thread clerk : clerks) clerk.join();
        double wall = System.nanoTime() - start;
        try (PrintWriter truth = new PrintWriter("truth")) {
            truth.printf("lock_held_for_fetch %.3f%nthreads_in_rateOf %.2f%norders %d%n",
                inFetch.get() / wall, inRateOf.get() / wall, orders.get());
        }
    }
}
