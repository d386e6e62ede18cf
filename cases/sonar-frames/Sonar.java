import java.nio.*;
import java.nio.file.*;
import java.util.*;

/** Draws the sea floor from frames of a sonar, each of which comes in a direct buffer. */
public class Sonar {
    static final List<int[]> map = new ArrayList<>();
    static long allocating;

    static void loadMap() {
        for (int row = 0; row < 60000; row++) {
            int[] depths = new int[150];
            Arrays.fill(depths, row % 300);
            map.add(depths);
        }
    }

    static ByteBuffer newFrame() {
        long before = System.nanoTime();
        ByteBuffer frame = ByteBuffer.allocateDirect(512 * 1024);
        allocating += System.nanoTime() - before;
        return frame;
    }

    static int drawFrame(int number) {
        ByteBuffer frame = newFrame();
        for (int place = 0; place < 150; place++) {
            frame.put(place * 64, (byte) (number * 31 + place));
        }
        int deepest = 0;
        int[] row = map.get(number % map.size());
        for (int place = 0; place < row.length; place++) {
            row[place] = frame.get(place * 64) & 0xff;
            deepest = Math.max(deepest, row[place]);
        }
        return deepest;
    }

    public static void main(String[] arguments) throws Exception {
        loadMap();
        long start = System.nanoTime(), sum = 0;
        int frames = 0;
        while (System.nanoTime() - start < 2_000_000_000L) {
            sum += drawFrame(frames++);
        }
        double wall = System.nanoTime() - start;
        long collecting = 0;
        for (var collector : java.lang.management.ManagementFactory.getGarbageCollectorMXBeans()) {
            collecting += collector.getCollectionTime();
        }
        Files.writeString(Path.of("truth"), String.format(Locale.ROOT, "allocating %.3f%ncollecting_ms %d%nframes %d%nsum %d%n", allocating / wall, collecting, frames, sum));
    }
}
