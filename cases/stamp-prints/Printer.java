import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Makes prints of stamps in four sizes: one to eight threads, as many as the work needs. */
public final class Printer {
    private static final int SIDE = 320;

    private final ThreadPoolExecutor pool =
            new ThreadPoolExecutor(1, 8, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    private final long end;

    private Printer(long millis) {
        end = System.nanoTime() + millis * 1_000_000;
    }

    private static int[] engrave(int stamp) {
        int[] picture = new int[SIDE * SIDE];
        int state = stamp * 0x9E3779B9 | 1;
        for (int i = 0; i < picture.length; i++) {
            state ^= state << 13;
            state ^= state >>> 17;
            state ^= state << 5;
            picture[i] = (i % SIDE + i / SIDE + (state & 63)) & 255;
        }
        return picture;
    }

    private static void soften(int[] p, int[] out) {
        for (int y = 2; y < SIDE - 2; y++) {
            for (int x = 2; x < SIDE - 2; x++) {
                int sum = 0;
                for (int dy = -2; dy <= 2; dy++) {
                    for (int dx = -2; dx <= 2; dx++) {
                        sum += p[(y + dy) * SIDE + x + dx];
                    }
                }
                out[y * SIDE + x] = sum / 25;
            }
        }
    }

    private static long scale(int[] p, int to) {
        long ink = 0;
        for (int y = 0; y < to; y++) {
            for (int x = 0; x < to; x++) {
                ink += p[y * SIDE / to * SIDE + x * SIDE / to];
            }
        }
        return ink;
    }

    private static long print(int stamp) {
        int[] p = engrave(stamp);
        int[] softer = new int[p.length];
        for (int pass = 0; pass < 3; pass++) {
            soften(p, softer);
            soften(softer, p);
        }
        long ink = 0;
        for (int size : new int[] {64, 128, 200, 300}) {
            ink += scale(p, size);
        }
        return ink;
    }

    private void run() throws Exception {
        long ink = 0;
        int sheets = 0;
        while (System.nanoTime() < end) {
            List<Future<Long>> sheet = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                int stamp = sheets * 40 + i;
                sheet.add(pool.submit(() -> print(stamp)));
            }
            for (Future<Long> f : sheet) {
                ink += f.get();
            }
            sheets++;
        }
        pool.shutdown();
        System.out.println(sheets + " sheets, " + ink + " of ink, largest pool " + pool.getLargestPoolSize());
    }

    public static void main(String[] args) throws Exception {
        new Printer(2000).run();
    }
}
