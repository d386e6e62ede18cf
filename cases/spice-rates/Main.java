import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The rates of a spice exchange: the desk asks for what it has in its cache, and a clerk loads new days into it. */
public class Main {
    private static final ConcurrentHashMap<Integer, List<Integer>> rates = new ConcurrentHashMap<>(16);
    private static final AtomicInteger loaded = new AtomicInteger();
    private static volatile boolean open = true;
    private static long waited;

    /** Adds up what the brokers called out, which is on paper and slow to type. */
    static List<Integer> typeDay(int day) {
        try {
            Thread.sleep(180);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        List<Integer> called = new ArrayList<>();
        for (int broker = 0; broker < 50; broker++) {
            called.add(1000 + (day * 31 + broker * 17) % 400);
        }
        loaded.incrementAndGet();
        return called;
    }

    /** The clerk: loads one day, drops it when the next begins. */
    static void clerk() {
        for (int day = 1; open; day++) {
            int key = day * 4096;
            rates.computeIfAbsent(key, unused -> typeDay(key));
            rates.remove(key);
        }
    }

    /** The desk: counts how often a spice was asked for today. */
    static int countQuestion(int spice) {
        long before = System.nanoTime();
        List<Integer> today = rates.compute(0, (key, old) -> {
            List<Integer> next = old == null ? new ArrayList<>() : old;
            if (next.size() > 100) {
                next.clear();
            }
            next.add(spice);
            return next;
        });
        waited += System.nanoTime() - before;
        return today.size();
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Thread clerk = new Thread(Main::clerk, "clerk");
        clerk.setDaemon(true);
        clerk.start();
        long start = System.nanoTime();
        int questions = 0;
        long sum = 0;
        while (System.nanoTime() - start < 2_000_000_000L) {
            sum += countQuestion(questions++ % 24);
            Thread.sleep(1);
        }
        double share = (double) waited / (System.nanoTime() - start);
        open = false;
        Files.writeString(Path.of("truth"),
                String.format("share %.3f%nquestions %d%nsum %d%nloaded %d%n", share, questions, sum, loaded.get()));
    }
}
