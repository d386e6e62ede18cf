import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.ReentrantLock;

/** Four threads set invoices in type. They share a font, which only one of them may measure at a time. */
public class Main {
    static final ReentrantLock FONT_LOCK = new ReentrantLock();
    static final AtomicLong waited = new AtomicLong();
    static final AtomicLong measured = new AtomicLong();

    static final class Font {
        private final int[] advances = new int[256];
        private final int[][] kerning = new int[256][256];

        Font() {
            Random dice = new Random(12);
            for (int a = 0; a < 256; a++) {
                advances[a] = 400 + dice.nextInt(500);
                for (int b = 0; b < 256; b++) {
                    kerning[a][b] = dice.nextInt(40) - 20;
                }
            }
        }

        long width(String text, int size) {
            long width = 0;
            for (int repeat = 1; repeat <= size; repeat++) {
                for (int n = 1; n < text.length(); n++) {
                    width += (long) advances[text.charAt(n)] * size + kerning[text.charAt(n - 1)][text.charAt(n)] % repeat;
                }
            }
            return width / 1000;
        }
    }

    static final Font FONT = new Font();

    static long measureLine(String line) {
        long before = System.nanoTime();
        FONT_LOCK.lock();
        try {
            long now = System.nanoTime();
            waited.addAndGet(now - before);
            long width = FONT.width(line, 2000);
            measured.addAndGet(System.nanoTime() - now);
            return width;
        } finally {
            FONT_LOCK.unlock();
        }
    }

    static int layoutInvoice(int number) {
        int pages = 1;
        long height = 0;
        for (int row = 0; row < 30; row++) {
            String line = "Invoice " + number + ", row " + row + ": " + "article ".repeat(12) + number * 31 % 977;
            height += measureLine(line) > 30_000 ? 24 : 12;
            if (height > 500) {
                pages++;
                height = 0;
            }
        }
        return pages;
    }

    public static void main(String[] arguments) throws Exception {
        int threads = 4;
        ExecutorService setters = Executors.newFixedThreadPool(threads);
        long start = System.nanoTime();
        List<Future<Integer>> results = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int first = t * 1_000_000;
            results.add(setters.submit(() -> {
                int pages = 0;
                for (int n = first; System.nanoTime() - start < 2_000_000_000L; n++) {
                    pages += layoutInvoice(n);
                }
                return pages;
            }));
        }
        int pages = 0;
        for (Future<Integer> result : results) {
            pages += result.get();
        }
        double all = System.nanoTime() - start;
        setters.shutdown();
        Files.writeString(Path.of("truth"), String.format(Locale.ROOT, "waited_per_thread %.3f%nlock_held %.3f%npages %d%n",
                waited.get() / all / threads, measured.get() / all, pages));
    }
}
