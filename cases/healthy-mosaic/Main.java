import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Finds for each field of a picture the stone of the best color. The picture's rows are spread over the CPUs. */
public class Main {
    static final int[] stones = new int[600];

    static int bestStone(int color) {
        int best = 0, least = Integer.MAX_VALUE;
        for (int stone = 0; stone < stones.length; stone++) {
            int red = (color >> 16) - (stones[stone] >> 16);
            int green = (color >> 8 & 255) - (stones[stone] >> 8 & 255);
            int blue = (color & 255) - (stones[stone] & 255);
            int distance = red * red + green * green + blue * blue;
            if (distance < least) {
                least = distance;
                best = stone;
            }
        }
        return best;
    }

    static int[] layRow(int row) {
        int[] line = new int[1000];
        for (int column = 0; column < line.length; column++) {
            line[column] = bestStone(row * 7919 + column * 104_729 & 0xffffff);
        }
        return line;
    }

    static int[] layBand(int from, long until) {
        int[] used = new int[stones.length];
        for (int row = from; System.nanoTime() < until; row++) {
            for (int stone : layRow(row)) {
                used[stone]++;
            }
        }
        return used;
    }

    public static void main(String[] args) throws Exception {
        for (int n = 0; n < stones.length; n++) {
            stones[n] = n * 48_271 * 331 & 0xffffff;
        }
        long until = System.nanoTime() + 2_000_000_000L;
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Future<int[]>> bands = new ArrayList<>();
        for (int band = 0; band < 2; band++) {
            int from = band * 100_000;
            bands.add(pool.submit(() -> layBand(from, until)));
        }
        int most = 0;
        for (Future<int[]> band : bands) {
            for (int count : band.get()) {
                most = Math.max(most, count);
            }
        }
        pool.shutdown();
        Files.writeString(Path.of("truth"), "most " + most + "\n");
    }
}
