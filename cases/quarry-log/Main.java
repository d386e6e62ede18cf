import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The belts of a quarry: each has a thread that weighs what comes along, and notes it in the common log. */
public class Main {
    static final double SECONDS = 2.0;

    static final class QuarryLog {
        private final OutputStream link;
        private long lines;

        QuarryLog(OutputStream link) {
            this.link = link;
        }

        synchronized void note(String text) throws IOException {
            link.write(text.getBytes(StandardCharsets.UTF_8));
            lines++;
        }

        synchronized long lines() {
            return lines;
        }
    }

    static int weigh(int belt, int stone) {
        int grams = 40_000 + belt * 117;
        for (int i = 0; i < 300; i++) {
            grams = (grams * 31 + stone) % 90_001;
        }
        return grams;
    }

    static void belt(QuarryLog log, int belt, long until) {
        try {
            for (int stone = 0; System.nanoTime() < until; stone++) {
                int grams = weigh(belt, stone);
                log.note("belt " + belt + " stone " + stone + " " + grams + " g, " + "lime".repeat(20) + "\n");
            }
        } catch (IOException gone) {
            throw new IllegalStateException(gone);
        }
    }

    public static void main(String[] args) throws Exception {
        Process shipper = new ProcessBuilder(args).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        QuarryLog log = new QuarryLog(direct(shipper.getOutputStream()));
        long until = System.nanoTime() + (long) (SECONDS * 1e9);
        List<Thread> belts = new ArrayList<>();
        for (int n = 0; n < 4; n++) {
            int belt = n;
            Thread thread = new Thread(() -> belt(log, belt, until), "belt-" + n);
            belts.add(thread);
            thread.start();
        }
        for (Thread thread : belts) {
            thread.join();
        }
        System.out.println(log.lines() + " lines");
        shipper.destroy();
    }

    static OutputStream direct(OutputStream buffered) {
        return new OutputStream() {
            @Override public void write(int one) throws IOException {
                buffered.write(one);
            }

            @Override public void write(byte[] bytes) throws IOException {
                buffered.write(bytes);
                buffered.flush();
            }
        };
    }
}
