import java.io.*;
import java.net.Socket;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.*;
import java.util.stream.IntStream;

/**
 * Asks a registry for the owner of many licence plates by a parallel stream. The stream has as many threads as there are
 * CPUs, which all wait, although the registry would answer a hundred questions at a time.
 */
public class Main {
    static final AtomicLong asking = new AtomicLong(), asked = new AtomicLong();
    static int port;

    static final ThreadLocal<Registry> registry = ThreadLocal.withInitial(Registry::new);

    static class Registry {
        final BufferedReader answers;
        final Writer questions;

        Registry() {
            try {
                Socket socket = new Socket("127.0.0.1", port);
                socket.setTcpNoDelay(true);
                answers = new BufferedReader(new InputStreamReader(socket.getInputStream()));
                questions = new OutputStreamWriter(socket.getOutputStream());
            } catch (IOException problem) {
                throw new UncheckedIOException(problem);
            }
        }

        String ownerOf(String plate) {
            long before = System.nanoTime();
            try {
                questions.write(plate + "\n");
                questions.flush();
                return answers.readLine();
            } catch (IOException problem) {
                throw new UncheckedIOException(problem);
            } finally {
                asking.addAndGet(System.nanoTime() - before);
                asked.incrementAndGet();
            }
        }
    }

    static int writeFine(int number) {
        String owner = registry.get().ownerOf("KA-" + number);
        return ("Dear " + owner + ", you have parked in a fire lane.").length();
    }

    static int writeFines(int first, int count) {
        return IntStream.range(first, first + count).parallel().map(Main::writeFine).sum();
    }

    public static void main(String[] args) throws Exception {
        port = Integer.parseInt(Files.readString(Path.of("ready")).trim());
        long start = System.nanoTime(), letters = 0;
        int rounds = 0;
        while (System.nanoTime() - start < 2_000_000_000L) letters += writeFines(100 * rounds++, 20);
        double seconds = (System.nanoTime() - start) / 1e9;
        int threads = ForkJoinPool.commonPool().getParallelism() + 1;
        try (PrintWriter truth = new PrintWriter("truth")) {
            truth.printf("asked %d%nthreads %d%nasking_per_thread %.3f%nbytes %d%n", asked.get(), threads,
                asking.get() / 1e9 / threads / seconds, letters);
        }
        System.exit(0);
    }
}
