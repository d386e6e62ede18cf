import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/** Eight counters of a travel shop, which sell trips with an insurance. */
public class Main {
    static final AtomicLong asked = new AtomicLong();
    static final AtomicLong trips = new AtomicLong();

    static String askQuote(Socket engine, BufferedReader answers, int age) throws IOException {
        long before = System.nanoTime();
        engine.getOutputStream().write((age + "\n").getBytes());
        String quote = answers.readLine();
        asked.addAndGet(System.nanoTime() - before);
        return quote;
    }

    static void sellTrips(int port, int counter, long until) {
        try (Socket engine = new Socket(InetAddress.getLoopbackAddress(), port)) {
            engine.setTcpNoDelay(true);
            BufferedReader answers = new BufferedReader(new InputStreamReader(engine.getInputStream()));
            StringBuilder sold = new StringBuilder();
            for (int trip = 0; System.nanoTime() < until; trip++) {
                sold.append("trip ").append(trip).append(": ").append(askQuote(engine, answers, 20 + trip % 60)).append('\n');
                trips.incrementAndGet();
            }
            Files.writeString(Path.of("counter-" + counter + ".txt"), sold);
        } catch (IOException error) {
            error.printStackTrace();
        }
    }

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(Files.readString(Path.of("port")).trim());
        long start = System.nanoTime();
        List<Thread> counters = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int counter = i;
            Thread thread = new Thread(() -> sellTrips(port, counter, start + 2_000_000_000L), "counter-" + i);
            thread.start();
            counters.add(thread);
        }
        for (Thread counter : counters) {
            counter.join();
        }
        double all = (System.nanoTime() - start) * 8.0;
        Files.writeString(Path.of("truth"), String.format(Locale.ENGLISH, "asked %.3f%ntrips %d%nms_each %.1f%n",
                asked.get() / all, trips.get(), asked.get() / 1e6 / trips.get()));
    }
}
