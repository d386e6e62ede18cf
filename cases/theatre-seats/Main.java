import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Asks 24 theatres for free seats, by a pool of threads. */
public class Main {
    static final AtomicLong waited = new AtomicLong();

    static int askTheatre(int port, int theatre) {
        long before = System.nanoTime();
        try (Socket service = new Socket("127.0.0.1", port)) {
            service.getOutputStream().write(("seats " + theatre + "\n").getBytes());
            return Integer.parseInt(new BufferedReader(new InputStreamReader(service.getInputStream())).readLine());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } finally {
            waited.addAndGet(System.nanoTime() - before);
        }
    }

    static int freeSeats(ExecutorService pool, int port) throws Exception {
        List<Future<Integer>> answers = new ArrayList<>();
        for (int n = 0; n < 24; n++) {
            int theatre = n;
            answers.add(pool.submit(() -> askTheatre(port, theatre)));
        }
        int seats = 0;
        for (Future<Integer> answer : answers) seats += answer.get();
        return seats;
    }

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(Files.readString(Path.of("port")).trim()), searches = 0, seats = 0;
        ExecutorService pool = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        long start = System.nanoTime();
        for (; System.nanoTime() - start < 1_800_000_000L; searches++) seats += freeSeats(pool, port);
        pool.shutdown();
        double took = System.nanoTime() - start;
        Files.writeString(Path.of("truth"), "waited_per_thread " + waited.get() / took / Runtime.getRuntime().availableProcessors()
                + "\nms_per_search " + took / searches / 1e6 + "\nseats " + seats + "\n");
    }
}
