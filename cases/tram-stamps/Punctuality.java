import java.text.ParseException;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.TimeZone;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Adds up how late the trams were: six threads, each with its own lines of the log. */
public final class Punctuality {
    static final class Times {
        private static final SimpleDateFormat FORMAT = new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss");

        static {
            FORMAT.setTimeZone(TimeZone.getTimeZone("UTC"));
        }

        /** SimpleDateFormat is not safe for threads. */
        static synchronized long millis(String text) throws ParseException {
            return FORMAT.parse(text).getTime();
        }
    }

    private final long end;

    private Punctuality(long millis) {
        end = System.nanoTime() + millis * 1_000_000;
    }

    private static String line(int tram, int stop) {
        int minute = stop * 3 % 60;
        int hour = 5 + stop / 20 % 18;
        int late = (tram * 7 + stop * 13) % 59;
        return String.join(";", Integer.toString(tram), "2024-03-1" + tram % 10 + "T" + two(hour) + ":" + two(minute) + ":00",
                "2024-03-1" + tram % 10 + "T" + two(hour) + ":" + two(minute) + ":" + two(late));
    }

    private static String two(int n) {
        return n < 10 ? "0" + n : Integer.toString(n);
    }

    private long[] evaluate(int tram) throws ParseException {
        long[] histogram = new long[61];
        for (int stop = 0; System.nanoTime() < end; stop++) {
            String[] fields = line(tram, stop).split(";");
            long late = Times.millis(fields[2]) - Times.millis(fields[1]);
            histogram[(int) Math.min(60, late / 1000)]++;
        }
        return histogram;
    }

    private void run() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(6);
        List<Future<long[]>> trams = new ArrayList<>();
        for (int t = 0; t < 6; t++) {
            int tram = t;
            trams.add(pool.submit(() -> evaluate(tram)));
        }
        long stops = 0;
        long seconds = 0;
        for (Future<long[]> f : trams) {
            long[] h = f.get();
            for (int s = 0; s < h.length; s++) {
                stops += h[s];
                seconds += h[s] * s;
            }
        }
        pool.shutdown();
        System.out.println(stops + " stops, " + seconds / Math.max(1, stops) + " s late on average");
    }

    public static void main(String[] args) throws Exception {
        new Punctuality(2000).run();
    }
}
