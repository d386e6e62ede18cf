import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;

/** Imports delivery notes into a catalogue. */
public class Main {
    static final Map<String, int[]> catalogue = new HashMap<>();
    static long collecting;

    static void readCatalogue() {
        for (int n = 0; n < 700_000; n++) catalogue.put("article " + n, new int[] {n % 100, n * 31 % 977});
    }

    /** Unmaps the file: buffers of files are only given back by the garbage collector. */
    static void closeFile() {
        long before = System.nanoTime();
        System.gc();
        collecting += System.nanoTime() - before;
    }

    static int importFile(Path file) throws Exception {
        ByteBuffer buffer = ByteBuffer.allocateDirect((int) Files.size(file));
        try (var channel = Files.newByteChannel(file)) {
            while (buffer.hasRemaining() && channel.read(buffer) >= 0) { }
        }
        int known = 0;
        for (String line : StandardCharsets.UTF_8.decode(buffer.flip()).toString().split("\n")) {
            int[] stock = catalogue.get(line);
            if (stock != null) {
                stock[0]++;
                known++;
            }
        }
        closeFile();
        return known;
    }

    public static void main(String[] args) throws Exception {
        readCatalogue();
        List<Path> files = new ArrayList<>();
        for (int n = 0; n < 6; n++) {
            StringBuilder text = new StringBuilder();
            for (int line = 0; line < 2000; line++) text.append("article ").append((line * 7919 + n) % 800_000).append('\n');
            files.add(Files.writeString(Path.of("delivery-" + n + ".txt"), text));
        }
        long start = System.nanoTime(), imported = 0, known = 0;
        for (; System.nanoTime() - start < 1_500_000_000L; imported++) known += importFile(files.get((int) imported % 6));
        double took = System.nanoTime() - start;
        long collections = 0;
        for (var gc : ManagementFactory.getGarbageCollectorMXBeans()) collections += gc.getCollectionCount();
        try (PrintWriter truth = new PrintWriter("truth")) {
            truth.printf("collecting %.3f%nfiles %d%ncollections %d%nknown %d%n", collecting / took, imported, collections, known);
        }
    }
}
