import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

/** A news server that reads the subscribers of its mailing lists when it starts. */
public class Main {
    record Subscriber(long number, String address) {}

    static final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();

    static void subscribe(List<Subscriber> to, long number) {
        to.add(new Subscriber(number, "reader-" + number + "@lists.example"));
    }

    public static void main(String[] args) throws Exception {
        long start = System.nanoTime();
        List<Long> times = new ArrayList<>();
        long number = 0;
        while (System.nanoTime() - start < 2_000_000_000L) {
            long before = System.nanoTime();
            for (int i = 0; i < 200; i++) {
                subscribe(subscribers, number++);
            }
            times.add(System.nanoTime() - before);
        }
        long wall = System.nanoTime() - start;
        long all = times.stream().mapToLong(Long::longValue).sum();
        int tenth = Math.max(1, times.size() / 10);
        double first = times.stream().limit(tenth).mapToLong(Long::longValue).sum();
        double last = times.stream().skip(times.size() - tenth).mapToLong(Long::longValue).sum();
        List<Subscriber> plain = new ArrayList<>();
        long before = System.nanoTime();
        for (long i = 0; i < number; i++) {
            subscribe(plain, i);
        }
        double other = System.nanoTime() - before;
        Files.writeString(Path.of("truth"), String.format(Locale.ENGLISH, "subscribing %.3f%nsubscribers %d%ngrowth %.1f%ntimes_slower %.0f%n",
                (double) all / wall, number, last / first, all / other));
    }
}
