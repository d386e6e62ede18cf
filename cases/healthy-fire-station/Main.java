import java.io.*;
import java.util.concurrent.*;

/** A fire station: the crew waits for alarms, and looks after its hoses whenever none has come for 300 ms. */
public class Main {
    record Alarm(String street, boolean last) {}

    static int route(String street) {
        int best = 0;
        for (int n = 0; n < 400_000; n++) best = Math.max(best, (street.hashCode() + n * 31) % 977);
        return best;
    }

    static int[] serve(BlockingQueue<Alarm> alarms) throws InterruptedException {
        int minutes = 0, checks = 0;
        while (true) {
            Alarm alarm = alarms.poll(300, TimeUnit.MILLISECONDS);
            if (alarm == null) {
                checks++;
            } else {
                minutes += route(alarm.street());
                if (alarm.last()) return new int[] {minutes, checks};
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int seconds = Integer.parseInt(args[0]);
        BlockingQueue<Alarm> alarms = new LinkedBlockingQueue<>();
        ScheduledExecutorService town = Executors.newSingleThreadScheduledExecutor();
        for (int n = 1; n <= seconds; n++) {
            Alarm alarm = new Alarm("street " + n, n == seconds);
            town.schedule(() -> alarms.add(alarm), n, TimeUnit.SECONDS);
        }
        int[] done = serve(alarms);
        town.shutdown();
        try (PrintWriter book = new PrintWriter("book.txt")) {
            book.printf("%d minutes on the way, %d checks of the hoses%n", done[0], done[1]);
        }
    }
}
