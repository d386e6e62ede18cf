import java.io.*;
import java.nio.file.*;
import java.util.*;

/** Stores the readings of electricity meters in a file with a fixed place for each meter. */
public class Main {
    static final int RECORD = 24;
    static long storing;

    static final class Store implements AutoCloseable {
        private final RandomAccessFile file;

        Store(String name, int meters) throws IOException {
            file = new RandomAccessFile(name, "rwd");
            file.setLength((long) meters * RECORD);
        }

        void storeReading(int meter, long time, long wattHours) throws IOException {
            byte[] record = new byte[RECORD];
            java.nio.ByteBuffer.wrap(record).putLong(meter).putLong(time).putLong(wattHours);
            file.seek((long) meter * RECORD);
            file.write(record);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    static long wattHoursOf(int meter, long time) {
        return 1_000_000L + meter * 7919L + time * (meter % 13 + 1);
    }

    static void collect(Store store, int meter, long time) throws IOException {
        long before = System.nanoTime();
        store.storeReading(meter, time, wattHoursOf(meter, time));
        storing += System.nanoTime() - before;
    }

    public static void main(String[] arguments) throws Exception {
        int meters = 5000;
        long start = System.nanoTime();
        int readings = 0;
        try (Store store = new Store("readings.dat", meters)) {
            while (System.nanoTime() - start < 2_000_000_000L) {
                collect(store, readings * 31 % meters, readings / meters);
                readings++;
            }
        }
        double all = System.nanoTime() - start;
        Files.writeString(Path.of("truth"), String.format(Locale.ROOT, "storing %.3f%nreadings %d%n", storing / all, readings));
    }
}
