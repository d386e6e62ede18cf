import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** Looks peaks up by their place, in a file that is mapped once: rows of 32 bytes, sorted by a curve through the map. */
public final class Peaks {
    private static final int ROW = 32;
    private static final int ROWS = 600_000;

    private final ByteBuffer rows;
    private final int count;

    private Peaks(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            MappedByteBuffer map = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
            rows = map.order(ByteOrder.LITTLE_ENDIAN);
            count = (int) (channel.size() / ROW);
        }
    }

    private static long spread(int v) {
        long x = v & 0xffffL;
        x = (x | x << 8) & 0x00ff00ffL;
        x = (x | x << 4) & 0x0f0f0f0fL;
        x = (x | x << 2) & 0x33333333L;
        return (x | x << 1) & 0x55555555L;
    }

    private static long key(int x, int y) {
        return spread(x) | spread(y) << 1;
    }

    static void make(Path file) throws IOException {
        long[] keys = new long[ROWS];
        int state = 12345;
        for (int i = 0; i < ROWS; i++) {
            state = state * 1664525 + 1013904223;
            keys[i] = key(state >>> 16, state * 31 >>> 16);
        }
        Arrays.sort(keys);
        ByteBuffer b = ByteBuffer.allocate(ROWS * ROW).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < ROWS; i++) {
            b.putLong(keys[i]).putInt(400 + (int) (keys[i] % 4200)).putInt(i).position((i + 1) * ROW);
        }
        b.flip();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            while (b.hasRemaining()) {
                channel.write(b);
            }
        }
    }

    private int find(long key) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (rows.getLong(middle * ROW) < key) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private int highestNear(int x, int y) {
        int at = find(key(x, y));
        int best = 0;
        for (int i = Math.max(0, at - 40); i < Math.min(count, at + 40); i++) {
            best = Math.max(best, rows.getInt(i * ROW + 8));
        }
        return best;
    }

    public static void main(String[] args) throws IOException {
        Path file = Path.of("peaks.bin");
        if (args.length > 0) {
            make(file);
            return;
        }
        long start = System.nanoTime();
        Peaks peaks = new Peaks(file);
        long sum = 0;
        int walks = 0;
        int state = 77;
        while (System.nanoTime() - start < 2_000_000_000L) {
            for (int i = 0; i < 1000; i++) {
                state = state * 1664525 + 1013904223;
                sum += peaks.highestNear(state >>> 16, state * 17 >>> 16);
            }
            walks += 1000;
        }
        System.out.println(walks + " questions, " + sum / walks + " m on average");
    }
}
