import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Sends parcels through a depot; a handle that somebody forgot to close is noted when it goes. */
public final class Depot {
    static final AtomicInteger FORGOTTEN = new AtomicInteger();

    static class Handle {
        final int parcel;
        final byte[] label = new byte[48];
        boolean closed;

        Handle(int parcel) {
            this.parcel = parcel;
            for (int i = 0; i < label.length; i++) {
                label[i] = (byte) (parcel >> i % 24);
            }
        }

        int belt() {
            int sum = 0;
            for (byte b : label) {
                sum = sum * 31 + b;
            }
            return Math.floorMod(sum, 17);
        }

        void close() {
            closed = true;
        }

        @Override
        @SuppressWarnings("removal")
        protected void finalize() {
            if (!closed) {
                FORGOTTEN.incrementAndGet();
            }
        }
    }

    private final Map<Integer, Integer> belts = new HashMap<>();
    private final List<String> shelf = new ArrayList<>();

    private void fill() {
        for (int i = 0; i < 300_000; i++) {
            shelf.add("parcel " + i + " waits on the shelf");
        }
    }

    private void send(int parcel) {
        Handle h = new Handle(parcel);
        belts.merge(h.belt(), 1, Integer::sum);
        h.close();
    }

    public static void main(String[] args) throws Exception {
        long start = System.nanoTime();
        Depot depot = new Depot();
        depot.fill();
        int parcels = 0;
        while (System.nanoTime() - start < 2_000_000_000L) {
            for (int i = 0; i < 1000; i++) {
                depot.send(parcels++);
            }
        }
        long wall = (System.nanoTime() - start) / 1_000_000;
        long gc = 0;
        for (GarbageCollectorMXBean b : ManagementFactory.getGarbageCollectorMXBeans()) {
            gc += b.getCollectionTime();
        }
        System.out.printf("%d parcels, %d forgotten, %d ms of %d in collections%n", parcels, FORGOTTEN.get(), gc, wall);
        double up = ManagementFactory.getRuntimeMXBean().getUptime();
        Files.writeString(Path.of("truth"), String.format("share %.3f%n", gc / up));
    }
}
