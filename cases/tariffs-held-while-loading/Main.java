import java.io.*;
import java.net.Socket;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.atomic.*;

/**
 * Five clerks compute postage. Tariffs are kept in a synchronized map; computeIfAbsent holds the map's monitor while it
 * loads a tariff from the post office's server, and tariffs expire soon, so one or the other is always being loaded.
 */
public class Main {
    record Tariff(double base, double perKilo) {}

    static final Map<String, Tariff> tariffs = Collections.synchronizedMap(new HashMap<>());
    static final AtomicLong lookups = new AtomicLong(), loads = new AtomicLong(), looking = new AtomicLong(), loading = new AtomicLong();
    static BufferedReader answers;
    static Writer questions;

    static Tariff loadTariff(String country) {
        long before = System.nanoTime();
        try {
            questions.write(country + "\n");
            questions.flush();
            String[] numbers = answers.readLine().split(" ");
            return new Tariff(Double.parseDouble(numbers[0]), Double.parseDouble(numbers[1]));
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        } finally {
            loads.incrementAndGet();
            loading.addAndGet(System.nanoTime() - before);
        }
    }

    static Tariff tariffOf(String country) {
        long before = System.nanoTime();
        Tariff tariff = tariffs.computeIfAbsent(country, Main::loadTariff);
        looking.addAndGet(System.nanoTime() - before);
        lookups.incrementAndGet();
        return tariff;
    }

    static double computePostage(int parcel) {
        Tariff tariff = tariffOf("country-" + parcel % 50);
        return tariff.base() + tariff.perKilo() * (parcel % 30);
    }

    static void serveCustomers(int clerk, long until) {
        double sum = 0;
        try {
            for (int n = clerk * 17; System.nanoTime() < until; n++) {
                sum += computePostage(n);
                Thread.sleep(1); // the next customer steps up
                if (n % 3 == 0) tariffs.remove("country-" + (n * 7 + clerk) % 50); // expired
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        if (sum < 0) System.out.println(sum);
    }

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(Files.readString(Path.of("ready")).trim());
        long start = System.nanoTime(), until = start + 2_000_000_000L;
        try (Socket office = new Socket("127.0.0.1", port)) {
            office.setTcpNoDelay(true);
            answers = new BufferedReader(new InputStreamReader(office.getInputStream()));
            questions = new OutputStreamWriter(office.getOutputStream());
            List<Thread> clerks = new ArrayList<>();
            for (int n = 0; n < 5; n++) {
                int number = n;
                clerks.add(new Thread(() -> serveCustomers(number, until), "clerk-" + n));
            }
            clerks.forEach(Thread::start);
            for (Thread clerk : clerks) clerk.join();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        try (PrintWriter truth = new PrintWriter("truth")) {
            truth.printf("lookups %d%nloads %d%nloading %.3f%nlooking_per_clerk %.3f%n", lookups.get(), loads.get(),
                loading.get() / 1e9 / seconds, looking.get() / 5e9 / seconds);
        }
    }
}
